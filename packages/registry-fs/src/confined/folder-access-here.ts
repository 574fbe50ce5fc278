import { descriptorAccess, hasDescriptorAccess } from './descriptor-access.js';
import type { FolderAccess } from './folder-access.js';
import { pathAccess } from './path-access.js';

/** The safest access that the system has. */
export function folderAccessHere(): FolderAccess {
  return hasDescriptorAccess() ? descriptorAccess : pathAccess;
}
