const central = {
  top: [
    3.387_132_872_796_366_608, 133.141_667_891_784_377_45, 1_971.590_950_306_551_442_7, 13_731.693_765_509_461_125,
    45_921.953_931_549_871_457, 67_265.770_927_008_700_853, 33_430.575_583_588_128_105, 2_509.080_928_730_122_672_7,
  ],
  bottom: [
    1, 42.313_330_701_600_911_252, 687.187_007_492_057_908_3, 5_394.196_021_424_751_107_7, 21_213.794_301_586_595_867,
    39_307.895_800_092_710_61, 28_729.085_735_721_942_674, 5_226.495_278_852_854_561,
  ],
} as const;

const near = {
  top: [
    1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_9, 5.769_497_221_460_691_405_5,
    3.647_848_324_763_204_605_04, 1.270_458_252_452_368_382_58, 0.241_780_725_177_450_611_77,
    0.022_723_844_989_269_184_583_8, 7.745_450_142_783_414_076_4e-4,
  ],
  bottom: [
    1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_4, 0.689_767_334_985_100_004_55,
    0.148_103_976_427_480_074_59, 0.015_198_666_563_616_457_196_6, 5.475_938_084_995_344_946e-4,
    1.050_750_071_644_416_843_24e-9,
  ],
} as const;

const far = {
  top: [
    6.657_904_643_501_103_777_2, 5.463_784_911_164_114_369_9, 1.784_826_539_917_291_335_8, 0.296_560_571_828_504_891_23,
    0.026_532_189_526_576_123_093, 0.001_242_660_947_388_078_438_6, 2.711_555_568_743_487_578_15e-5,
    2.010_334_399_292_288_132_65e-7,
  ],
  bottom: [
    1, 0.599_832_206_555_887_937_69, 0.136_929_880_922_735_805_31, 0.014_875_361_290_850_615_025,
    7.868_691_311_456_132_591e-4, 1.846_318_317_510_054_681_8e-5, 1.421_511_758_316_445_888_7e-7,
    2.044_263_103_389_939_785_64e-15,
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
