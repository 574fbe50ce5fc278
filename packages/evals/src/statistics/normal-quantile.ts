const central = {
  top: [
    3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
    45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7,
  ],
  bottom: [
    1, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751, 21_213.794_301_586_597,
    39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_854,
  ],
} as const;

const near = {
  top: [
    1.423_437_110_749_683_5, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
    1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 0.000_774_545_014_278_341_4,
  ],
  bottom: [
    1, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1, 0.148_103_976_427_480_08,
    0.015_198_666_563_616_457, 0.000_547_593_808_499_534_5, 1.0507500716444169e-9,
  ],
} as const;

const far = {
  top: [
    6.657_904_643_501_103, 5.463_784_911_164_114, 1.784_826_539_917_291_3, 0.296_560_571_828_504_87,
    0.026_532_189_526_576_124, 0.001_242_660_947_388_078_4, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  bottom: [
    1, 0.599_832_206_555_888, 0.136_929_880_922_735_8, 0.014_875_361_290_850_615, 0.000_786_869_131_145_613_3,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
} as const;

/**
 * Below which value a standard normal variable lies with a probability: algorithm AS 241, PPND16 (Wichura 1988, Appl.
 * Statist. 37:477-484), to 16 digits or so.
 *
 * @throws `RangeError` for what does not lie between 0 and 1.
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`${probability} does not lie between 0 and 1.`);
  const offset = probability - 0.5;
  if (Math.abs(offset) <= 0.425) return offset * ratio(central, 0.180_625 - offset * offset);
  const root = Math.sqrt(-Math.log(offset < 0 ? probability : 1 - probability));
  const size = root <= 5 ? ratio(near, root - 1.6) : ratio(far, root - 5);
  return offset < 0 ? -size : size;
}

function ratio(
  { top, bottom }: { readonly top: readonly number[]; readonly bottom: readonly number[] },
  at: number,
): number {
  return polynomial(top, at) / polynomial(bottom, at);
}

function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * at + coefficient, 0);
}
