import ignore from 'ignore';

const secretNames = ignore({ ignorecase: true }).add([
  '.env',
  '.env.*',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '.npmrc',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.git-credentials',
  '.htpasswd',
  '.aws/credentials',
]);
const keyNames = /\.(?:pem|key|asc|ppk)$/iu;
const privateKey = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-/mu;

/** Whether a file usually holds secrets, by its path alone. A folder's path ends with a slash. */
export function isSecretName(path: string): boolean {
  return secretNames.ignores(path);
}

/** Whether a file whose name allows for a key, or for a certificate that anybody may see, holds a private key. */
export function holdsPrivateKey(path: string, bytes: Uint8Array): boolean {
  return (
    keyNames.test(path) &&
    privateKey.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
  );
}
