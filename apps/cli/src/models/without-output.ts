/**
 * What `work` comes to. What is printed meanwhile goes to standard error: standard output is the answer’s alone, and code
 * of others is loaded here.
 */
export async function withoutOutput<Value>(work: () => Promise<Value>): Promise<Value> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  try {
    return await work();
  } finally {
    stdout.write = write;
  }
}
