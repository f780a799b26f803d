import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import {
  isAccepted,
  linkOf,
  locationOf,
  Submission,
  VersionFilter,
  VersionsQuery,
} from './requests.mjs';

const refuse = (context, { error }) => context.json({ issues: error.issues }, 400);

export const reading = (findPackage) => {
  const app = new Hono();
  app.get('/api/v1/packages/:name', async (context) => {
    const query = VersionFilter.safeParse(context.req.query());
    if (!query.success) return refuse(context, query);
    return context.json(await findPackage({ name: context.req.param('name'), ...query.data }));
  });
  return handle(app);
};

export const listing = (listVersions) => {
  const app = new Hono();
  app.get('/api/v1/packages/:name/versions', async (context) => {
    const query = VersionsQuery.safeParse(context.req.query());
    if (!query.success) return refuse(context, query);
    const [url] = context.req.url.split('?');
    const page = await listVersions({ name: context.req.param('name'), ...query.data });
    context.header('Link', linkOf(url, page));
    return context.json(page);
  });
  return handle(app);
};

export const writing = (keepPackage) => {
  const app = new Hono();
  app.post('/api/v1/packages', async (context) => {
    if (!isAccepted(context.req.header('X-API-Key'))) {
      return context.json({ error: 'unauthorized' }, 401);
    }
    const body = Submission.safeParse(await context.req.json());
    if (!body.success) return refuse(context, body);
    const kept = await keepPackage(body.data);
    context.header('Location', locationOf(kept));
    return context.json(kept, 201);
  });
  return handle(app);
};
