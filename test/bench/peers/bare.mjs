/** Handlers without any framework: what cannot be left out. */
import {
  isAccepted,
  linkOf,
  locationOf,
  Submission,
  VersionFilter,
  VersionsQuery,
} from './requests.mjs';

const answer = (statusCode, body, headers = {}) => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const refuse = ({ error }) => answer(400, { issues: error.issues });

export const reading = (findPackage) => async (event) => {
  const query = VersionFilter.safeParse(event.queryStringParameters ?? {});
  if (!query.success) return refuse(query);
  const name = decodeURIComponent(event.pathParameters.name);
  return answer(200, await findPackage({ name, ...query.data }));
};

export const listing = (listVersions) => async (event) => {
  const query = VersionsQuery.safeParse(event.queryStringParameters ?? {});
  if (!query.success) return refuse(query);
  const url = `https://${event.headers.Host}${event.requestContext.path}`;
  const name = decodeURIComponent(event.pathParameters.name);
  const page = await listVersions({ name, ...query.data });
  return answer(200, page, { Link: linkOf(url, page) });
};

export const writing = (keepPackage) => async (event) => {
  if (!isAccepted(event.headers['X-API-Key'])) return answer(401, { error: 'unauthorized' });
  const body = Submission.safeParse(JSON.parse(event.body));
  if (!body.success) return refuse(body);
  const kept = await keepPackage(body.data);
  return answer(201, kept, { Location: locationOf(kept) });
};
