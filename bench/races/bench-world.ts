import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNginx } from '../../test/registry/nginx.ts';
import type { FixturePorts } from '../fixtures/pack-registry.ts';
import { keepCommand } from './keep-command.ts';
import { startVerdaccio } from '../servers/verdaccio.ts';

/** The file systems that work is done on. */
export type Place = 'disk' | 'tmpfs';

/** What all races of one call share. */
export interface BenchWorld extends FixturePorts {
  /** What the usual number of packs, skills and bytes is multiplied with. */
  readonly size: number;
  /** The folder of the workspace. */
  readonly workspace: string;
  /** The folder that the tools of others are installed in. */
  readonly tools: string;
  /** A folder of that file system that nobody else uses. */
  folder(place: Place, name: string): string;
  /** Removes what the last race has left in all these folders. */
  clear(): Promise<void>;
  /** Serves a folder by nginx until the end, and returns its URL with a slash at its end. */
  serve(folder: string): Promise<string>;
  /** Serves a folder of npm packages by that verdaccio until the end. */
  serveNpm(verdaccio: string, folder: string): Promise<string>;
}

interface Server {
  readonly url: string;
  close(): Promise<void>;
}

/** A world, and its end. */
export interface OpenWorld {
  readonly world: BenchWorld;
  close(): Promise<void>;
}

/** What a world is opened with. */
export interface WorldOptions {
  readonly workspace: string;
  readonly tools: string;
  readonly command: string;
  readonly size: number;
}

/** Opens the world of one call. */
export async function openWorld({ workspace, tools, command, size }: WorldOptions): Promise<OpenWorld> {
  const base = join(workspace, 'temp', 'bench');
  const places: Readonly<Record<Place, string>> = {
    disk: join(base, `work-${process.pid}`),
    tmpfs: `/dev/shm/skillpack-bench-${process.pid}`,
  };
  const kept = join(base, `command-${process.pid}`);
  const servers = new Map<string, Promise<Server>>();
  const clear = async (): Promise<void> => {
    await Promise.all(Object.values(places).map((path) => rm(path, { recursive: true, force: true })));
  };
  const served = async (folder: string, start: () => Promise<Server>): Promise<string> => {
    const server = servers.get(folder) ?? start();
    servers.set(folder, server);
    return (await server).url;
  };
  const world: BenchWorld = {
    size,
    workspace,
    command: await keepCommand(command, kept),
    cache: join(base, 'fixtures'),
    tools,
    folder: (place, name) => join(places[place], name),
    clear,
    serve: (folder) => served(folder, () => startNginx(folder)),
    serveNpm: (verdaccio, folder) => served(folder, () => startVerdaccio(verdaccio, folder)),
  };
  return {
    world,
    async close() {
      for (const server of servers.values()) await (await server).close();
      // At once: a race that was interrupted would go on making folders meanwhile.
      for (const path of [...Object.values(places), kept]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** So many at the size that is measured, and at least one. */
export function sized(count: number, { size }: Pick<BenchWorld, 'size'>): number {
  return Math.max(1, Math.round(count * size));
}

/** The large packs of the usual size: as many, and as many bytes each. */
export function largeSize({ size }: Pick<BenchWorld, 'size'>): { readonly count: number; readonly bytes: number } {
  return { count: Math.max(1, Math.round(size)), bytes: Math.round(195 * 1_048_576 * Math.min(1, size)) };
}
