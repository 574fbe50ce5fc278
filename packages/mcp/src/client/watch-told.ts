import { askServer, type AskedServer } from './ask-server.js';

const method = 'notifications/resources/list_changed';

/**
 * Calls `changed` when a server tells that its resources changed, until disposed.
 *
 * @throws what {@link askServer} throws, where the server is asked to tell and does not say yes.
 */
export async function watchTold(server: AskedServer, changed: () => void): Promise<AsyncDisposable> {
  const { client } = server;
  client.setNotificationHandler(method, () => changed());
  try {
    // From the revision 2026-07-28 on, a server tells only those who asked for it.
    const listening =
      client.getProtocolEra() === 'modern'
        ? await askServer(server, { what: 'what changes', signal: undefined }, async ({ timeout }) =>
            client.listen({ resourcesListChanged: true }, { timeout }),
          )
        : undefined;
    return {
      [Symbol.asyncDispose]: async () => {
        client.removeNotificationHandler(method);
        await listening?.close();
      },
    };
  } catch (error) {
    client.removeNotificationHandler(method);
    throw error;
  }
}
