import { formatSearchCatalogue, SkillsError, type PackRegistry } from '@skillpack/core';

const maxWords = 1_024;
const maxHits = 100;

/** Answers `search?q=words&limit=20` in the format of a search catalogue. @throws `USAGE`. */
export async function searchRoute(request: Request, registry: PackRegistry): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const words = searchParams.get('q') ?? '';
  const limit = Number(searchParams.get('limit') ?? 20);
  if (words.length > maxWords || !Number.isInteger(limit) || limit < 1 || limit > maxHits) {
    const message = `A search has at most ${maxWords} characters and a limit from 1 to ${maxHits}.`;
    throw new SkillsError('USAGE', message);
  }
  // In the order of names: whoever asked ranks the hits as the registry did.
  const packs = await registry.search(words, { limit, signal: request.signal });
  return new Response(formatSearchCatalogue(packs), {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  });
}
