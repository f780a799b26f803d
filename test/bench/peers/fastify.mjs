import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import {
  isAccepted,
  linkOf,
  locationOf,
  Submission,
  VersionFilter,
  VersionsQuery,
} from './requests.mjs';

const refuse = (reply, { error }) => reply.code(400).send({ issues: error.issues });

export const reading = (findPackage) => {
  const app = fastify();
  app.get('/api/v1/packages/:name', async (request, reply) => {
    const query = VersionFilter.safeParse(request.query);
    if (!query.success) return refuse(reply, query);
    return findPackage({ name: request.params.name, ...query.data });
  });
  return awsLambdaFastify(app);
};

export const listing = (listVersions) => {
  const app = fastify();
  app.get('/api/v1/packages/:name/versions', async (request, reply) => {
    const query = VersionsQuery.safeParse(request.query);
    if (!query.success) return refuse(reply, query);
    const [path] = request.url.split('?');
    const url = `${request.protocol}://${request.host}${path}`;
    const page = await listVersions({ name: request.params.name, ...query.data });
    reply.header('Link', linkOf(url, page));
    return page;
  });
  return awsLambdaFastify(app);
};

export const writing = (keepPackage) => {
  const app = fastify();
  app.post('/api/v1/packages', async (request, reply) => {
    if (!isAccepted(request.headers['x-api-key'])) {
      return reply.code(401).send({ error: 'unauthorized' });
    }
    const body = Submission.safeParse(request.body);
    if (!body.success) return refuse(reply, body);
    const kept = await keepPackage(body.data);
    reply.header('Location', locationOf(kept));
    return reply.code(201).send(kept);
  });
  return awsLambdaFastify(app);
};
