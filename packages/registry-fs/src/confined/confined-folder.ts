import { readlinkSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { SkillsError } from '@skillpack/core/listing';
import { systemError, type FolderAccess, type Place } from './folder-access.js';

const mostLinks = 8;
// Of the path and of all links on the way together.
const mostNames = 256;
const separator = sep === '/' ? '/' : /[\\/]/u;

/**
 * A folder out of which no path leads: no `..`, no link and no race. A link that stays in it is followed, by hand. Hard
 * links and mounts are files and folders like others.
 */
export class ConfinedFolder {
  readonly #realPath: string;
  readonly #access: FolderAccess;
  /** From the top down to where the search is. */
  readonly #levels: Place[] = [];
  readonly #held: Place[] = [];

  /** @param realPath absolute, in which no part is a link. @throws what the system throws. */
  constructor(realPath: string, access: FolderAccess) {
    this.#realPath = realPath;
    this.#access = access;
    this.#levels.push(this.#hold(access.top(realPath)));
  }

  /**
   * The file or folder that names lead to, one below the other; held until the folder is closed.
   *
   * @throws `PATH_TRAVERSAL_BLOCKED` for a link that leads out, else what the system throws.
   */
  find(names: readonly string[]): Place {
    this.#levels.length = 1;
    const ahead = names.toReversed();
    let links = 0;
    let steps = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      steps += 1;
      if (steps > mostNames) throw systemError('ENAMETOOLONG', name);
      if (name === '' || name === '.') continue;
      if (name === '..') {
        this.#ascend(names);
        continue;
      }
      const folder = this.#folder();
      const place = this.#hold(this.#access.entry(folder, name));
      if (place.stat.isDirectory()) this.#levels.push(place);
      else if (place.stat.isSymbolicLink()) {
        links += 1;
        if (links > mostLinks) throw systemError('ELOOP', name);
        ahead.push(...this.#targetOf({ folder, name, place }, names).toReversed());
      } else if (ahead.length > 0) throw systemError('ENOTDIR', name);
      else return place;
    }
    return this.#folder();
  }

  /** Releases every place that was found. */
  close(): void {
    for (const place of this.#held.splice(0)) this.#access.release(place);
  }

  #hold(place: Place): Place {
    this.#held.push(place);
    return place;
  }

  #folder(): Place {
    const folder = this.#levels.at(-1);
    if (folder === undefined) throw new Error('A confined folder was left.');
    return folder;
  }

  #ascend(names: readonly string[]): void {
    if (this.#levels.length === 1) throw this.#blocked(names);
    this.#levels.pop();
  }

  #targetOf(
    { folder, name, place }: { readonly folder: Place; readonly name: string; readonly place: Place },
    names: readonly string[],
  ): readonly string[] {
    // What a link says is as harmless as what stands in a path, so it may be another one by now.
    const target = readlinkSync(folder.path + sep + name);
    this.#access.confirm(place);
    if (!isAbsolute(target)) return target.split(separator);
    if (target !== this.#realPath && !target.startsWith(this.#realPath + sep)) throw this.#blocked(names);
    this.#levels.length = 1;
    return target.slice(this.#realPath.length).split(separator);
  }

  #blocked(names: readonly string[]): SkillsError {
    const path = names.join('/');
    return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is a link that leads out of ${this.#realPath}.`, {
      hint: 'Put the file itself into the folder.',
      data: { path, folder: this.#realPath },
    });
  }
}
