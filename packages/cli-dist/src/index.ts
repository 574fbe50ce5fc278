export { createArchiveReader } from './archive/archive-reader.js';
export { createArchiveWriter } from './archive/archive-writer.js';
export { sha256 } from './archive/sha256.js';
export type { DoctorFinding, DoctorOptions, DoctorReport, DoctorRequest } from './doctor/doctor-report.js';
export type { InstallEvent } from './install/install-event.js';
export type {
  ChangeOptions,
  InstallOptions,
  InstallRequest,
  UpdateOptions,
  UpdateRequest,
} from './install/install-options.js';
export type { InstallReport, InstallWarning, PackChange, PackOrigin } from './install/install-report.js';
export type { DownloadOptions, PackManagerPorts } from './install/pack-manager-ports.js';
export { packSkills } from './pack/pack-skills.js';
export type { PackDiagnostic, PackedPack, PackedSkill, PackOptions } from './pack/packed-pack.js';
export { folderRoot, projectRoot, userRoot, type InstallRoot } from './root/install-root.js';
export type { InstalledPack } from './root/installed-pack.js';
export type {
  ArchiveStore,
  StoreCleaned,
  StoreInfo,
  StoreVerified,
  StoreVerifyOptions,
} from './store/archive-store.js';
export type { RemovedPack, UninstallOptions, UninstallReport, UninstallRequest } from './uninstall/uninstall-report.js';
export type { OutdatedOptions, OutdatedPack, OutdatedReport, OutdatedRequest } from './update/outdated-report.js';
export type {
  ArchiveReport,
  FileFinding,
  RecordFinding,
  VerifiedPack,
  VerifyOptions,
  VerifyReport,
  VerifyRequest,
} from './verify/verify-report.js';
