import { doPluginsPass, readFileRules } from '../shared/config/env.ts';
import { serveMaven } from '../shared/gate/maven/serve-maven.ts';
import { gate } from '../shared/http/gate.ts';
import { pages } from '../shared/pages.ts';

export const handler = gate(pages.serveMaven, ({ path, now }) =>
  serveMaven(path, {
    files: readFileRules('maven'),
    passesPlugins: doPluginsPass(),
    now,
  }),
);
