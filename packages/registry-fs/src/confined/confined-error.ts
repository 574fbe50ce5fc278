import { quoted, SkillsError } from '@skillpack/core/listing';
import { errnoOf } from '../errno.js';

const absent = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL']);

/** What went wrong with a path in a folder, as a person reads it. @throws what is no error of the system. */
export function confinedError(
  error: unknown,
  { path, realPath }: { readonly path: string; readonly realPath: string },
): SkillsError {
  if (SkillsError.is(error)) return error;
  const code = errnoOf(error);
  const how = { cause: error, data: { path, folder: realPath } };
  if (absent.has(code)) {
    return new SkillsError('FILE_NOT_FOUND', `${realPath} has no file ${quoted(path)}.`, {
      ...how,
      hint: 'Look at the list of its files.',
    });
  }
  if (code === 'ELOOP') {
    return new SkillsError(
      'PATH_TRAVERSAL_BLOCKED',
      `${quoted(path)} of ${realPath} is behind too many links, or that folder became a link itself.`,
      { ...how, hint: 'Reload the skills, or put the file itself into the folder.' },
    );
  }
  const why = code === 'ESTALE' ? 'It is being changed all the time' : `The system says ${code}`;
  return new SkillsError('IO_ERROR', `${quoted(path)} of ${realPath} cannot be read. ${why}.`, {
    ...how,
    hint: code === 'ESTALE' ? 'Try again.' : 'Check who may read it.',
  });
}
