import { decodeUri } from '../../../util/decode-uri.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import { type Coordinates, nameFile, toArtifactPath } from '../coordinates.ts';

/** Size limit in bytes. The largest listings of public repositories have about 300 names in 60 KB. */
const maxListingBytes = 1024 * 1024;

/** Matches the links of a page. Links above 1000 characters are no files of a version. */
const links = /\bhref\s*=\s*["']?(?<address>[^"'<>\s]{1,1000})/gi;

/** Returns the last path segment of an address, decoded. */
const toName = (address: string): string =>
  decodeUri(address.replace(/[?#].*$/s, '')).replace(/^.*\//s, '');

const readNames = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(links)].map(({ groups }) => toName(groups?.['address'] ?? '')));

/**
 * Returns the file names that a repository lists for a version, including checksums and signatures. Undefined without
 * a listing: many mirrors have none, and a page without the POM is not a listing.
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
