import fc from 'fast-check';

// On a clean checkout the same inputs are tried each time, so that what fails there fails for whoever looks into it.
// New ones are tried wherever else the tests run, and by `pnpm fuzz`.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_122 });
