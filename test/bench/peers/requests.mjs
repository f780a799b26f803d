/** What every peer checks requests by: the very schemas, and one token that is compared as it should be. */
import { createHash, timingSafeEqual } from 'node:crypto';

export { VersionFilter, VersionsQuery } from '../../../shared/api/schemas/query.ts';
export { Submission } from '../../../shared/api/schemas/submission.ts';

const digest = (text) => createHash('sha256').update(text).digest();
const accepted = digest(process.env.API_KEY ?? '');

export const isAccepted = (token) => timingSafeEqual(digest(token ?? ''), accepted);

export const locationOf = ({ name }) => `/api/v1/packages/${encodeURIComponent(name)}`;

/** Of a list's first page. */
export const linkOf = (url, { limit, offset }) =>
  `<${url}?limit=${limit}&offset=${offset + limit}>; rel="next"`;
