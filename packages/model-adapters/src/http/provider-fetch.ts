/** How requests are sent: the platform's `fetch`, or one that has its signature. */
export type ProviderFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
