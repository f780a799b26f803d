import express from 'express';
import serverless from 'serverless-http';
import {
  isAccepted,
  linkOf,
  locationOf,
  Submission,
  VersionFilter,
  VersionsQuery,
} from './requests.mjs';

const refuse = (response, { error }) => response.status(400).json({ issues: error.issues });

export const reading = (findPackage) => {
  const app = express();
  app.get('/api/v1/packages/:name', async (request, response) => {
    const query = VersionFilter.safeParse(request.query);
    if (!query.success) refuse(response, query);
    else response.json(await findPackage({ name: request.params.name, ...query.data }));
  });
  return serverless(app);
};

export const listing = (listVersions) => {
  const app = express();
  app.get('/api/v1/packages/:name/versions', async (request, response) => {
    const query = VersionsQuery.safeParse(request.query);
    if (!query.success) {
      refuse(response, query);
      return;
    }
    const url = `${request.protocol}://${request.get('Host')}${request.path}`;
    const page = await listVersions({ name: request.params.name, ...query.data });
    response.set('Link', linkOf(url, page)).json(page);
  });
  return serverless(app);
};

export const writing = (keepPackage) => {
  const app = express();
  app.use(express.json());
  app.post('/api/v1/packages', async (request, response) => {
    if (!isAccepted(request.get('X-API-Key'))) {
      response.status(401).json({ error: 'unauthorized' });
      return;
    }
    const body = Submission.safeParse(request.body);
    if (!body.success) {
      refuse(response, body);
      return;
    }
    const kept = await keepPackage(body.data);
    response.status(201).set('Location', locationOf(kept)).json(kept);
  });
  return serverless(app);
};
