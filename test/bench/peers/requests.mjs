/** What every peer checks requests by: the very schemas, and one token that is compared as it should be. */
import { createHash, timingSafeEqual } from 'node:crypto';

export { ListQuery, VersionFilter } from '../../../shared/schemas/query.ts';
export { Submission } from '../../../shared/schemas/submission.ts';

const digest = (text) => createHash('sha256').update(text).digest();
const accepted = digest(process.env.API_KEY ?? '');

export const isAccepted = (token) => timingSafeEqual(digest(token ?? ''), accepted);

export const locationOf = ({ name }) => `/api/v1/packages/${encodeURIComponent(name)}`;

/** Of a page in the midst of a list. */
export const linkOf = (url, { limit, offset }) => {
  const to = (rel, at) => `<${url}?limit=${limit}&offset=${at}>; rel="${rel}"`;
  return [to('next', offset + limit), to('prev', offset - limit)].join(', ');
};
