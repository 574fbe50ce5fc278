import { createArchiveReader, createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { SkillsError } from '@skillpack/core';
import { makePack, skillText } from '@skillpack/core/testing';
import { createFolderRegistry } from '@skillpack/registry-http/server';

// Publishes versions of one pack, one after another, and prints what came of each: `1.0.3 created`, `1.0.4 VERSION_EXISTS`.
const [folder = '', text = '', count = '0'] = process.argv.slice(2);
const writer = createArchiveWriter();
const registry = createFolderRegistry(folder, { archives: createArchiveReader(), writer, now: () => new Date() });
for (let patch = 0; patch < Number(count); patch += 1) {
  const version = `1.0.${patch}`;
  const skills = { pdf: { 'SKILL.md': skillText('pdf', `${text} ${version}`) } };
  try {
    const { created } = await registry.publish(makePack({ name: 'org/pdf', version, skills }, { writer, sha256 }));
    process.stdout.write(`${version} ${created ? 'created' : 'present'}\n`);
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    process.stdout.write(`${version} ${error.code}\n`);
  }
}
