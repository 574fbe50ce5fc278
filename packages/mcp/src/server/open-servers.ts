import type { McpServer } from '@modelcontextprotocol/server';
import type { SkillRegistry } from '@skillpack/core';

const leastPruned = 64;

/** The servers that were made and may still be connected: each is told when the registry has changed. */
export class OpenServers implements AsyncDisposable {
  readonly #registry: SkillRegistry;
  // One that its connection let go of is not kept: over HTTP there is one a request.
  #servers: readonly WeakRef<McpServer>[] = [];
  #pruneAt = leastPruned;
  #subscription: Promise<AsyncDisposable> | undefined;

  constructor(registry: SkillRegistry) {
    this.#registry = registry;
  }

  add(mcp: McpServer): void {
    if (this.#servers.length >= this.#pruneAt) {
      this.#servers = this.#servers.filter((reference) => reference.deref() !== undefined);
      this.#pruneAt = Math.max(leastPruned, 2 * this.#servers.length);
    }
    this.#servers = [...this.#servers, new WeakRef(mcp)];
  }

  /** Begins to listen to the registry. @throws what `SkillRegistry.subscribe` throws; the next call tries again. */
  async listen(): Promise<void> {
    const subscription = (this.#subscription ??= this.#registry.subscribe(() => {
      for (const mcp of this.#connected()) this.#tell(mcp);
    }));
    try {
      await subscription;
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    await (await subscription)?.[Symbol.asyncDispose]();
    await Promise.all(this.#connected().map(async (mcp) => mcp.close()));
    this.#servers = [];
  }

  #connected(): readonly McpServer[] {
    return this.#servers.flatMap((reference) => {
      const mcp = reference.deref();
      return mcp?.isConnected() === true ? [mcp] : [];
    });
  }

  #tell({ server }: McpServer): void {
    const { tools, prompts } = server.getCapabilities();
    // A connection that ends meanwhile has nobody left to be told.
    const ignore = (): undefined => undefined;
    server.sendResourceListChanged().catch(ignore);
    if (tools !== undefined) server.sendToolListChanged().catch(ignore);
    if (prompts !== undefined) server.sendPromptListChanged().catch(ignore);
  }
}
