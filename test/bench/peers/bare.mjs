/** Handlers without any framework: what cannot be left out. */
import {
  isAccepted,
  ListQuery,
  linkOf,
  locationOf,
  Submission,
  VersionFilter,
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

export const listing = (listPackages) => async (event) => {
  const query = ListQuery.safeParse(event.queryStringParameters ?? {});
  if (!query.success) return refuse(query);
  const url = `https://${event.headers.Host}${event.requestContext.path}`;
  return answer(200, await listPackages(query.data), { Link: linkOf(url, query.data) });
};

export const writing = (keepPackage) => async (event) => {
  if (!isAccepted(event.headers['X-API-Key'])) return answer(401, { error: 'unauthorized' });
  const body = Submission.safeParse(JSON.parse(event.body));
  if (!body.success) return refuse(body);
  const kept = await keepPackage(body.data);
  return answer(201, kept, { Location: locationOf(kept) });
};
