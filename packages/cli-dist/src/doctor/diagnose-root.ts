import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { defaultLockTimeout } from '../install/apply-install.js';
import { lockRoot, throwIfAborted } from '../root/root-lock.js';
import { describeSymptom, mendSymptom } from './describe-symptom.js';
import type { DoctorFinding, DoctorOptions, DoctorReport, DoctorRequest } from './doctor-report.js';
import { examineAccess } from './examine-access.js';
import { examineBackups } from './examine-backups.js';
import { examineGoverningFiles } from './examine-governing-files.js';
import { examineHolder } from './examine-holder.js';
import { examineInstalled } from './examine-installed.js';
import { examineLeftovers } from './examine-leftovers.js';
import { examineMutex, examinePlaces, locateRoot } from './examine-places.js';
import { examineRecords } from './examine-records.js';
import { examineStore } from './examine-store.js';
import { examineTrust } from './examine-trust.js';
import { noteUnwanted } from './note-unwanted.js';
import type { DoctorPorts, Patient, Symptom } from './symptom.js';

/**
 * Looks for everything that can be wrong with a root and with the store. With `repair`, mends what can be mended without
 * losing anything and without a network; says for the rest what to do. What cannot be used and may be somebody's is put
 * aside, among the backups.
 *
 * @throws `BUSY`, `INTERRUPTED`, `IO_ERROR`.
 */
export async function diagnoseRoot(
  request: DoctorRequest,
  ports: DoctorPorts,
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  try {
    const { root, findings, notes } = await diagnose(request, ports, options);
    const all = [...findings, ...(await examineStore(ports.store, options))];
    return { root, ok: all.every(({ repaired }) => repaired), findings: all, notes };
  } catch (error) {
    throw asIoError(error);
  }
}

async function diagnose(
  { root }: DoctorRequest,
  ports: DoctorPorts,
  options: DoctorOptions,
): Promise<Omit<DoctorReport, 'ok'>> {
  const located = locateRoot(root);
  if (located.kind === 'blocked') {
    const { symptom } = located;
    const blocked = { root: root.skillsDir, notes: [] };
    if (options.repair !== true) return { ...blocked, findings: [describeSymptom(symptom)] };
    const finding = await mendSymptom(symptom);
    if (!finding.repaired) return { ...blocked, findings: [finding] };
    const rest = await diagnose({ root }, ports, options);
    return { ...rest, findings: [finding, ...rest.findings] };
  }
  const patient: Patient = { paths: located.paths, ports };
  const findings = options.repair === true ? await mend(patient, options) : describeAll(await examine(patient));
  return { root: located.paths.skillsDir, findings, notes: noteUnwanted(located.paths) };
}

type Examination = (patient: Patient) => readonly Symptom[];

/** In this order: each relies on what those before it mended. */
const examinations: readonly Examination[] = [
  ({ paths }) => examinePlaces(paths),
  ({ paths }) => examineLeftovers(paths),
  ({ paths }) => examineGoverningFiles(paths),
  examineRecords,
  ({ paths }) => examineInstalled(paths),
  ({ paths }) => examineBackups(paths),
  ({ paths }) => examineTrust(paths),
];

/** What an examination finds; that something cannot be read ends this one, and no other. */
function lookAt(patient: Patient, look: Examination): readonly Symptom[] {
  try {
    return look(patient);
  } catch (error) {
    const failure: unknown = asIoError(error);
    if (!SkillsError.is(failure, 'IO_ERROR')) throw failure;
    const { message, hint, data } = failure;
    const subject = typeof data['path'] === 'string' ? data['path'] : patient.paths.skillsDir;
    return [{ kind: 'not-readable', subject, message, advice: hint ?? 'Put the cause right, then run it again.' }];
  }
}

/** What a process that is at work has staged is no leftover, and what it has not done yet no fault. */
async function examine(patient: Patient): Promise<readonly Symptom[]> {
  const mutex = examineMutex(patient.paths);
  const holder = mutex.length > 0 ? [] : await examineHolder(patient.paths);
  const symptoms = [...mutex, ...holder];
  for (const look of holder.length > 0 ? [] : examinations)
    symptoms.push(...lookAt(patient, look).filter(stays(symptoms)));
  return [...symptoms, ...examineAccess(patient.paths)];
}

/** Whether something would still be found once what was found before it is mended. */
function stays(earlier: readonly Symptom[]): (symptom: Symptom) => boolean {
  const mended = new Set(earlier.flatMap(({ subject, remedy }) => (remedy === undefined ? [] : [subject])));
  return ({ subject }) => !mended.has(subject);
}

async function mend(
  patient: Patient,
  { lockTimeout, signal, onEvent }: DoctorOptions,
): Promise<readonly DoctorFinding[]> {
  const { paths } = patient;
  const symptoms = await examine(patient);
  const busy = symptoms.some(({ kind }) => kind === 'busy');
  const hopeless = isReadOnly(symptoms) || (!busy && symptoms.every(({ remedy }) => remedy === undefined));
  if (hopeless) return describeAll(symptoms);
  const findings = await mendEach(examineMutex(paths));
  const timeout = lockTimeout ?? defaultLockTimeout;
  const onWait = (holder: number | undefined): void => onEvent?.({ kind: 'waiting', holder, timeout });
  const lock = await lockRoot(paths, { timeout, signal, onWait });
  try {
    onEvent?.({ kind: 'mending' });
    for (const look of examinations) {
      throwIfAborted(signal);
      findings.push(...(await mendEach(lookAt(patient, look))));
    }
    return [...findings, ...stillWrong(patient, findings)];
  } finally {
    lock.release();
  }
}

/** What is found after a repair, and was not told of yet as something that stays. */
function stillWrong(patient: Patient, findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const key = ({ kind, subject }: Pick<DoctorFinding, 'kind' | 'subject'>): string => `${kind} ${subject}`;
  const told = new Set(findings.filter(({ repaired }) => !repaired).map(key));
  return examinations
    .flatMap((look) => lookAt(patient, look))
    .filter((symptom) => !told.has(key(symptom)))
    .map(describeSymptom);
}

function isReadOnly(symptoms: readonly Symptom[]): boolean {
  return symptoms.some(({ kind }) => kind === 'not-writable');
}

/** Where nothing can be written, a repair is not to be had by asking for it alone. */
function describeAll(symptoms: readonly Symptom[]): DoctorFinding[] {
  if (!isReadOnly(symptoms)) return symptoms.map(describeSymptom);
  return symptoms.map(({ remedy, ...symptom }) =>
    describeSymptom(
      remedy === undefined
        ? symptom
        : { ...symptom, advice: `Make the root writable, then run \`skills doctor --repair\`: it ${remedy.does}.` },
    ),
  );
}

async function mendEach(symptoms: readonly Symptom[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const symptom of symptoms) findings.push(await mendSymptom(symptom));
  return findings;
}
