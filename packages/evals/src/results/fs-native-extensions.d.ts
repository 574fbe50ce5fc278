declare module 'fs-native-extensions' {
  interface NativeFileSystem {
    /** @returns whether the lock was granted. On macOS it is always on the whole file. */
    tryLock(descriptor: number, offset?: number, length?: number, options?: { readonly shared?: boolean }): boolean;
  }
  const native: NativeFileSystem;
  export default native;
}
