import type { Client } from '@modelcontextprotocol/client';

const method = 'notifications/resources/list_changed';

/** Calls `changed` when a server tells that its resources changed, until disposed. */
export async function watchTold(client: Client, changed: () => void): Promise<AsyncDisposable> {
  client.setNotificationHandler(method, () => changed());
  // From the revision 2026-07-28 on, a server tells only those who asked for it.
  const listening =
    client.getProtocolEra() === 'modern' ? await client.listen({ resourcesListChanged: true }) : undefined;
  return {
    [Symbol.asyncDispose]: async () => {
      client.removeNotificationHandler(method);
      await listening?.close();
    },
  };
}
