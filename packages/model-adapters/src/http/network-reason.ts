/** Why a server was not reached, or broke off. */
export interface NetworkReason {
  readonly kind: 'network' | 'timeout';
  /** A predicate: `refuses connections`. */
  readonly says: string;
  readonly hint: string;
}

const reasons: readonly (readonly [pattern: RegExp, reason: NetworkReason])[] = [
  [
    /^(?:ECONNREFUSED|ConnectionRefused|FailedToOpenSocket)$/u,
    { kind: 'network', says: 'refuses connections', hint: 'Start the server, or check host and port of the URL.' },
  ],
  [
    /^(?:ENOTFOUND|EAI_\w+)$/u,
    { kind: 'network', says: 'has no address: its name was not found', hint: 'Check the URL and the network.' },
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/u,
    { kind: 'timeout', says: 'did not answer in time', hint: 'Ask again; check the network if it stays so.' },
  ],
  [
    /CERT|SELF_SIGNED|^(?:ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|UNABLE_TO_)/u,
    {
      kind: 'network',
      says: 'could not be trusted: its TLS certificate or connection is not valid',
      hint: 'Check https and the port of the URL. For a private certificate authority, set NODE_EXTRA_CA_CERTS.',
    },
  ],
  [
    /^(?:HPE_\w+|HTTPParserError)$/u,
    { kind: 'network', says: 'does not speak HTTP', hint: 'Check the port of the URL, and whether it is https.' },
  ],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/u,
    { kind: 'network', says: 'cannot be reached from here', hint: 'Check the network.' },
  ],
  [
    /^UND_ERR_(?:ABORTED|PRX_\w+)$/u,
    {
      kind: 'network',
      says: 'was not reached: the proxy on the way does not connect to it',
      hint: 'Check HTTPS_PROXY and NO_PROXY, and whether the proxy lets this host through.',
    },
  ],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|ConnectionClosed|UND_ERR_\w+|ERR_STREAM_PREMATURE_CLOSE)$/u,
    { kind: 'network', says: 'broke off the connection', hint: 'Ask again.' },
  ],
];

/** The reason that a code of the system, of TLS or of undici, or the name of its error, stands for. */
export function networkReason(codes: readonly string[]): NetworkReason | undefined {
  return reasons.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
}

/** The reason where only the words of `fetch` are known, as in browsers. */
export const unknownReason: NetworkReason = {
  kind: 'network',
  says: 'could not be reached, or broke off',
  hint: 'Check the URL and the network, and ask again.',
};
