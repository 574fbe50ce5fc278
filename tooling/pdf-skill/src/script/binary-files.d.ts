declare module '*.br' {
  const bytes: Uint8Array;
  export default bytes;
}
