import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { withoutCredentials, type PackName, type PackSpec } from '@skillpack/core';
import type { FetchPorts } from '../fetch/fetch-content.js';
import { loadPath, loadUrl, type LoadedPack } from '../fetch/load-pack.js';
import { DocumentSource } from '../resolve/document-source.js';
import type { RootPaths } from '../root/root-paths.js';
import type { InstallOptions } from './install-options.js';
import type { InstallWarning } from './install-report.js';
import type { PackManagerPorts } from './pack-manager-ports.js';

/** What one install, or update, wants of a root. */
export interface InstallAim {
  readonly specs: readonly PackSpec[];
  /** Absolute; relative paths in `specs` start here. */
  readonly from: string;
  /** Packs that may move to newer versions. */
  readonly moving: 'all' | ReadonlySet<PackName>;
}

/**
 * What one install has learnt. A plan is made twice, before the root is locked and under the lock; nothing is read from
 * a registry, downloaded or packed twice for it.
 */
export class InstallSession {
  readonly paths: RootPaths;
  readonly aim: InstallAim;
  readonly ports: PackManagerPorts;
  readonly options: InstallOptions;
  readonly documents: DocumentSource;
  readonly #loaded = new Map<string, Promise<LoadedPack>>();
  readonly #warnings: InstallWarning[] = [];
  #downloaded = { archives: 0, bytes: 0 };

  constructor(
    subject: { readonly paths: RootPaths; readonly aim: InstallAim },
    ports: PackManagerPorts,
    options: InstallOptions,
  ) {
    this.paths = subject.paths;
    this.aim = subject.aim;
    this.ports = ports;
    this.options = options;
    this.documents = new DocumentSource(ports, {
      signal: options.signal,
      onDocuments: (documents) => options.onEvent?.({ kind: 'resolving', documents }),
    });
  }

  /** What came over the network so far. */
  get downloaded(): { readonly archives: number; readonly bytes: number } {
    return this.#downloaded;
  }

  /** What packs are fetched with: what was loaded to decide is not loaded again. */
  get fetchPorts(): Omit<FetchPorts, 'memory'> {
    const { registryFor, archives, store, version } = this.ports;
    return {
      registryFor,
      archives,
      store,
      version,
      loadPath: (path) => this.loadPath(path),
      loadUrl: (url) => this.loadUrl(url),
    };
  }

  /** What a person should know, so far. */
  get warnings(): readonly InstallWarning[] {
    return this.#warnings;
  }

  /** Takes note of a warning, and tells of it; once, however often it is come upon. */
  warn(warning: InstallWarning): void {
    const text = JSON.stringify(warning);
    if (this.#warnings.some((known) => JSON.stringify(known) === text)) return;
    this.#warnings.push(warning);
    this.options.onEvent?.({ kind: 'warning', warning });
  }

  /** Takes note of a download. */
  countDownload(bytes: number): void {
    this.#downloaded = { archives: this.#downloaded.archives + 1, bytes: this.#downloaded.bytes + bytes };
  }

  /** The absolute path that a person wrote. */
  absolute(path: string): string {
    const inHome = /^~(?=$|[\\/])/u.test(path);
    return inHome ? resolve(homedir(), `.${path.slice(1)}`) : resolve(this.aim.from, path);
  }

  /** The pack at an absolute path; read once. */
  loadPath(path: string): Promise<LoadedPack> {
    return this.#load(path, () => loadPath(path, this.ports, this.options));
  }

  /** The pack behind a URL; downloaded once. */
  loadUrl(url: string): Promise<LoadedPack> {
    return this.#load(url, async () => {
      let received = 0;
      const onProgress = (bytes: number): void => {
        received += bytes;
        this.options.onEvent?.({ kind: 'downloading', url: withoutCredentials(url), received });
      };
      const loaded = await loadUrl(url, this.ports, { ...this.options, onProgress });
      this.countDownload(loaded.received ?? 0);
      return loaded;
    });
  }

  #load(key: string, load: () => Promise<LoadedPack>): Promise<LoadedPack> {
    const present = this.#loaded.get(key);
    if (present !== undefined) return present;
    const loading = load();
    this.#loaded.set(key, loading);
    return loading;
  }
}
