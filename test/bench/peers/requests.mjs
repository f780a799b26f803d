/** Validation of requests for all peers: the registry's schemas, and one token, compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';

export { Submission } from '../../../shared/api/schemas/submission.ts';
export { VersionFilter } from '../../../shared/api/schemas/version-query.ts';
export { VersionsQuery } from '../../../shared/api/schemas/versions-query.ts';

const digest = (text) => createHash('sha256').update(text).digest();
const accepted = digest(process.env.API_KEY ?? '');

export const isAccepted = (token) => timingSafeEqual(digest(token ?? ''), accepted);

export const locationOf = ({ name }) => `/api/v1/packages/${encodeURIComponent(name)}`;

/** Returns the `Link` header of the first page of a list. */
export const linkOf = (url, { limit, offset }) =>
  `<${url}?limit=${limit}&offset=${offset + limit}>; rel="next"`;
