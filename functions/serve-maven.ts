import { pages } from '../shared/api/non-api-routes.ts';
import { doPluginsPass, readGateSettings } from '../shared/api/settings/env.ts';
import { metadataType, serveMaven } from '../shared/ecosystems/maven/gate/serve-maven.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';

export const handler = gate(pages.serveMaven, async ({ path, now, freeze, compareState }) => {
  const answer = await serveMaven(path, {
    ...readGateSettings('maven'),
    passesPlugins: doPluginsPass(),
    ...{ now, freeze, isKnown: compareState(metadataType) },
  });
  if (!('document' in answer)) return answer;
  const { document: text, contentType, state } = answer;
  return { text, contentType, state };
});
