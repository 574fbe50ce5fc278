import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HttpTimeouts } from './http-options.js';
import type { HttpPorts } from './http-ports.js';
import { guardedLookup } from './guarded-lookup.js';
import type { LateCode } from './http-failure.js';
import { joinHeaders, type Transport, type TransportOptions, type TransportResponse } from './transport.js';
import type { UrlPolicy } from './url-policy.js';

const connections = 64;

/** Plain HTTP/1.1 without a proxy: keep-alive, 64 connections a host. */
export function createPlainTransport(policy: UrlPolicy, ports: HttpPorts, { timeouts }: TransportOptions): Transport {
  // Not by `import`, which would read every export, and one of them is a getter that loads a WebSocket client: 40 ms.
  const http = process.getBuiltinModule('node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const lookup = guardedLookup('http:', policy, ports);
  return {
    async send({ method, url, headers, body, signal }) {
      const request = http.request(url, { agent, method, headers: { ...headers }, lookup, signal });
      const answered = answerOf(request, timeouts);
      request.end(body);
      return answered;
    },
    async close() {
      agent.destroy();
    },
  };
}

function answerOf(request: ClientRequest, timeouts: HttpTimeouts): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = (code: LateCode) => () => request.destroy(late(code));
    let timer = setTimeout(giveUp('CONNECT_TIMEOUT'), timeouts.connect);
    const connected = (): void => {
      clearTimeout(timer);
      timer = setTimeout(giveUp('HEADERS_TIMEOUT'), timeouts.headers);
    };
    request.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      watchIdle(response, timeouts.idle);
      const { statusCode = 0, headersDistinct } = response;
      resolve({ status: statusCode, headers: joinHeaders(headersDistinct), body: response });
    });
    // Stays: what fails after the answer ends its body with an error, and is told there.
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // Without an answer and without an error: what comes of one that changes the protocol (101), which nobody asked for.
    request.once('close', () => {
      clearTimeout(timer);
      reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' }));
    });
  });
}

/** Ends a body that stays away for too long. A socket outlives its answer, so the watch is taken off it in the end. */
function watchIdle(response: IncomingMessage, idle: number): void {
  const { socket } = response;
  const expired = (): void => {
    response.destroy(late('BODY_TIMEOUT'));
  };
  socket.setTimeout(idle, expired);
  response.once('close', () => {
    socket.setTimeout(0, expired);
  });
}

function late(code: LateCode): Error {
  return Object.assign(new Error('too late'), { code });
}
