import { decodeUri } from '../../../util/decode-uri.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import { type Coordinates, nameFile, toArtifactPath } from '../coordinates.ts';

/** The largest version of a public repository lists some 300 names in 60 KB. */
const maxListingBytes = 1024 * 1024;

/** The addresses that a page links to; longer ones are no files of a version. */
const links = /\bhref\s*=\s*["']?(?<address>[^"'<>\s]{1,1000})/gi;

/** The last part of an address without its escapes. */
const toName = (address: string): string =>
  decodeUri(address.replace(/[?#].*$/s, '')).replace(/^.*\//s, '');

const readNames = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(links)].map(({ groups }) => toName(groups?.['address'] ?? '')));

/**
 * Returns the file names that a repository lists for a version, with checksums and signatures. Undefined if it has no
 * such page: many mirrors have none, and a page without the POM is some other page.
 */
export const askListing = async (
  { ask }: Origin,
  coordinates: Coordinates,
): Promise<ReadonlySet<string> | undefined> => {
  const path = `${toArtifactPath(coordinates)}/${encodeURIComponent(coordinates.version)}/`;
  const request = { path, accept: 'text/html, */*', maxBytes: maxListingBytes };
  const answer = await catchPermanentFault(() => ask(request));
  if (!answer || answer instanceof UpstreamError) return undefined;
  const names = readNames(answer.bytes.toString());
  return names.has(nameFile(coordinates, '.pom')) ? names : undefined;
};
