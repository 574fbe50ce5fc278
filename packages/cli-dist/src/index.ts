export { createArchiveReader } from './archive/archive-reader.js';
export { createArchiveWriter } from './archive/archive-writer.js';
export { sha256 } from './archive/sha256.js';
export { adviseOnFindings } from './doctor/advise-on-findings.js';
export { makeFolder } from './disk/make-folder.js';
export { diagnoseRoot } from './doctor/diagnose-root.js';
export type { DoctorPorts } from './doctor/symptom.js';
export type {
  DoctorEvent,
  DoctorFinding,
  DoctorNote,
  DoctorOptions,
  DoctorReport,
  DoctorRequest,
} from './doctor/doctor-report.js';
export { revokedPacks, type RevokedPack } from './trust/revoked-packs.js';
export { unfinishedInstall } from './doctor/unfinished-install.js';
export type { InstallEvent } from './install/install-event.js';
export type {
  ChangeOptions,
  InstallOptions,
  InstallRequest,
  UpdateOptions,
  UpdateRequest,
} from './install/install-options.js';
export { installPacks } from './install/install-packs.js';
export type {
  ChangedPack,
  InstalledBefore,
  InstalledNow,
  InstallReport,
  InstallWarning,
  PackChange,
  PackOrigin,
} from './install/install-report.js';
export type { DownloadOptions, PackManagerPorts } from './install/pack-manager-ports.js';
export { describeMachine, type Machine, type MachineFacts } from './machine/machine.js';
export { packSkills } from './pack/pack-skills.js';
export type { PackDiagnostic, PackedPack, PackedSkill, PackOptions } from './pack/packed-pack.js';
export { isSecretName } from './pack/secret-files.js';
export { folderRoot, projectRoot, userRoot, type InstallRoot } from './root/install-root.js';
export { listInstalled, type ListInstalledOptions } from './root/list-installed.js';
export type { InstalledPack } from './root/installed-pack.js';
export { recallInstall } from './seal/recall-install.js';
export type { InstallSeals, SealSubject } from './seal/seal-file.js';
export { sealFiles } from './seal/seal-files.js';
export type {
  ArchiveStore,
  IncomingArchive,
  StoreCleaned,
  StoredArchive,
  StoreInfo,
  StoreOpenOptions,
  StoreOptions,
  StoreVerified,
  StoreVerifyOptions,
} from './store/archive-store.js';
export { openStore } from './store/disk-store.js';
export type { OpenedPack } from './store/opened-pack.js';
export type { ExpectedPack, UnpackedPack } from './store/unpacked-pack.js';
export type { RemovedPack, UninstallOptions, UninstallReport, UninstallRequest } from './uninstall/uninstall-report.js';
export { uninstallPacks } from './uninstall/uninstall-packs.js';
export { outdatedPacks } from './update/outdated-packs.js';
export { updatePacks } from './update/update-packs.js';
export { verifyArchive, type VerifyArchiveOptions, type VerifyArchivePorts } from './verify/verify-archive.js';
export { verifyRoot } from './verify/verify-root.js';
export type { OutdatedOptions, OutdatedPack, OutdatedReport, OutdatedRequest } from './update/outdated-report.js';
export type {
  ArchiveReport,
  FileFinding,
  RecordFinding,
  VerifiedPack,
  VerifyOptions,
  ShadowingFolder,
  VerifyReport,
  VerifyRequest,
} from './verify/verify-report.js';
