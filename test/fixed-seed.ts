// On a clean checkout the same inputs are tried each time, so that what fails there fails for whoever looks into it.
// New ones are tried wherever else the tests run, and by `pnpm fuzz`.
if (process.env['CI'] !== undefined) {
  const { default: properties } = await import('fast-check');
  properties.configureGlobal({ ...properties.readConfigureGlobal(), seed: 20_261_122 });
}

export {};
