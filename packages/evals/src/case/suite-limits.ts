/** UTF-16 code units of a file of cases. */
export const maxSuiteLength = 16 * 1024 * 1024;

/** Of one in YAML, of which hostile texts take seconds; 10,000 plain cases fit in. */
export const maxYamlLength = 1536 * 1024;
