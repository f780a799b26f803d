import { pages } from '../shared/api/non-api-routes.ts';
import { doPluginsPass, readGateSettings } from '../shared/api/settings/env.ts';
import { serveMaven } from '../shared/ecosystems/maven/gate/serve-maven.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';

export const handler = gate(pages.serveMaven, ({ path, now, freeze }) =>
  serveMaven(path, {
    ...readGateSettings('maven'),
    passesPlugins: doPluginsPass(),
    ...{ now, freeze },
  }),
);
