import { SkillsError, type PackDocument, type PackName } from '@skillpack/core';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { boundedMap } from '../parallel/bounded-map.js';

/** A pack's index document, and the address of the registry it is from. */
export interface KnownDocument {
  readonly document: PackDocument;
  readonly registry: string;
}

/** How documents are read. */
export interface DocumentSourceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onDocuments?: ((read: number) => void) | undefined;
}

const width = 64;

/** Index documents, each read once, many at a time. */
export class DocumentSource {
  readonly #ports: Pick<PackManagerPorts, 'registryFor'>;
  readonly #options: DocumentSourceOptions;
  readonly #known = new Map<PackName, KnownDocument | undefined>();

  constructor(ports: Pick<PackManagerPorts, 'registryFor'>, options: DocumentSourceOptions = {}) {
    this.#ports = ports;
    this.#options = options;
  }

  /** What was read so far; `undefined` for a pack that its registry does not have. */
  get known(): ReadonlyMap<PackName, KnownDocument | undefined> {
    return this.#known;
  }

  /** Reads those that were not read before. @throws what the registries throw, but `PACK_NOT_FOUND`. */
  async load(names: readonly PackName[]): Promise<void> {
    const missing = names.filter((name) => !this.#known.has(name));
    await boundedMap(missing, (name) => this.#read(name), { width });
    if (missing.length > 0) this.#options.onDocuments?.(this.#known.size);
  }

  async #read(name: PackName): Promise<void> {
    const registry = this.#ports.registryFor(name);
    try {
      const document = await registry.getPack(name, { signal: this.#options.signal });
      this.#known.set(name, { document, registry: registry.location });
    } catch (error) {
      if (!SkillsError.is(error, 'PACK_NOT_FOUND')) throw error;
      this.#known.set(name, undefined);
    }
  }
}
