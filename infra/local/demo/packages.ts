import type { Ecosystem } from '../../../shared/domain/ecosystem.ts';
import type { Decision } from '../../../shared/domain/status.ts';

export interface DemoPackage {
  submission: {
    ecosystem: Ecosystem;
    name: string;
    version: string;
    license?: string;
    description?: string;
    homepage?: string;
    repository?: string;
    submitted_by?: string;
  };
  decision?: { to: Decision; by: string; reason?: string };
}

type Release = [ecosystem: Ecosystem, name: string, version: string, license: string];
type About = [description: string, urls: [homepage: string, repository: string]];

const submitters = {
  pypi: 'data@example.com',
  npm: 'web@example.com',
  maven: 'backend@example.com',
  docker: 'platform@example.com',
} as const;

const pending = (...[release, description, urls]: [Release, ...About]): DemoPackage => {
  const [ecosystem, name, version, license] = release;
  const [homepage, repository] = urls;
  const facts = { ecosystem, name, version, license, description, homepage, repository };
  return { submission: { ...facts, submitted_by: submitters[ecosystem] } };
};

const approved = (...facts: [Release, ...About]): DemoPackage => ({
  ...pending(...facts),
  decision: { to: 'approved', by: 'security@example.com' },
});

const rejectedBy =
  (by: string) =>
  (reason: string, ...facts: [Release, ...About]): DemoPackage => ({
    ...pending(...facts),
    decision: { to: 'rejected', by, reason },
  });

const vulnerable = rejectedBy('security@example.com');
const unlicensable = rejectedBy('licensing@example.com');

const lodash: About = [
  'Utility functions for arrays, objects, strings and functions',
  ['https://lodash.com/', 'https://github.com/lodash/lodash'],
];
const minimist: About = [
  'Small parser for command line arguments',
  ['https://github.com/minimistjs/minimist', 'https://github.com/minimistjs/minimist'],
];
const requests: About = [
  'HTTP client with sessions, authentication and connection pooling',
  ['https://requests.readthedocs.io/', 'https://github.com/psf/requests'],
];
const pyyaml: About = [
  'YAML parser and emitter',
  ['https://pyyaml.org/', 'https://github.com/yaml/pyyaml'],
];
const log4j: About = [
  'Implementation of the Log4j 2 logging API: appenders, layouts and filters',
  ['https://logging.apache.org/log4j/2.x/', 'https://github.com/apache/logging-log4j2'],
];
const commonsText: About = [
  'Algorithms on strings: similarity, substitution, escaping',
  ['https://commons.apache.org/proper/commons-text/', 'https://github.com/apache/commons-text'],
];

/** Real package versions in the order of their submission, with what was decided on each. */
export const demoPackages: readonly DemoPackage[] = [
  vulnerable(
    'Command injection by _.template (CVE-2021-23337), fixed in 4.17.21.',
    ['npm', 'lodash', '4.17.20', 'MIT'],
    ...lodash,
  ),
  approved(['npm', 'lodash', '4.17.21', 'MIT'], ...lodash),
  vulnerable(
    'Log4Shell: a logged string runs code of an attacker (CVE-2021-44228). Use 2.17.1 or later.',
    ['maven', 'org.apache.logging.log4j:log4j-core', '2.14.1', 'Apache-2.0'],
    ...log4j,
  ),
  approved(['maven', 'org.apache.logging.log4j:log4j-core', '2.17.1', 'Apache-2.0'], ...log4j),
  vulnerable(
    'Sends credentials in clear after a redirect (CVE-2018-18074), fixed in 2.20.0.',
    ['pypi', 'requests', '2.19.1', 'Apache-2.0'],
    ...requests,
  ),
  approved(['pypi', 'requests', '2.32.4', 'Apache-2.0'], ...requests),
  approved(
    ['docker', 'nginx', '1.27.3', 'BSD-2-Clause'],
    'Official image of the nginx web server and reverse proxy',
    ['https://nginx.org/', 'https://github.com/nginx/docker-nginx'],
  ),
  approved(
    ['npm', '@types/node', '22.10.5', 'MIT'],
    'Type definitions of the Node.js standard library',
    ['https://definitelytyped.github.io/', 'https://github.com/DefinitelyTyped/DefinitelyTyped'],
  ),
  vulnerable(
    'Runs code from untrusted YAML (CVE-2020-1747, CVE-2020-14343), fixed in 5.4.',
    ['pypi', 'PyYAML', '5.3', 'MIT'],
    ...pyyaml,
  ),
  approved(['pypi', 'PyYAML', '6.0.2', 'MIT'], ...pyyaml),
  approved(
    ['maven', 'com.fasterxml.jackson.core:jackson-databind', '2.18.2', 'Apache-2.0'],
    'Binds JSON and other formats to Java objects',
    ['https://github.com/FasterXML/jackson', 'https://github.com/FasterXML/jackson-databind'],
  ),
  approved(
    ['docker', 'postgres', '17.2', 'PostgreSQL'],
    'Official image of the PostgreSQL relational database',
    ['https://www.postgresql.org/', 'https://github.com/docker-library/postgres'],
  ),
  unlicensable(
    'SSPL-1.0 is not an open-source license and binds whoever offers the software as a service.',
    ['docker', 'mongo', '7.0.14', 'SSPL-1.0'],
    'Official image of the MongoDB document database',
    ['https://www.mongodb.com/', 'https://github.com/docker-library/mongo'],
  ),
  approved(
    ['npm', '@aws-sdk/client-dynamodb', '3.750.0', 'Apache-2.0'],
    'DynamoDB client of the AWS SDK for JavaScript',
    ['https://aws.amazon.com/sdk-for-javascript/', 'https://github.com/aws/aws-sdk-js-v3'],
  ),
  vulnerable(
    'Prototype pollution (CVE-2021-44906), fixed in 1.2.6.',
    ['npm', 'minimist', '1.2.5', 'MIT'],
    ...minimist,
  ),
  approved(['npm', 'minimist', '1.2.8', 'MIT'], ...minimist),
  approved(['pypi', 'redis', '5.2.1', 'MIT'], 'Python client of the Redis data store', [
    'https://github.com/redis/redis-py',
    'https://github.com/redis/redis-py',
  ]),
  approved(['npm', 'redis', '4.7.0', 'MIT'], 'Node.js client of the Redis data store', [
    'https://github.com/redis/node-redis',
    'https://github.com/redis/node-redis',
  ]),
  approved(
    ['docker', 'redis', '7.2.5', 'BSD-3-Clause'],
    'Official image of the Redis data store, last series under a BSD license',
    ['https://redis.io/', 'https://github.com/redis/docker-library-redis'],
  ),
  approved(
    ['pypi', 'typing_extensions', '4.12.2', 'PSF-2.0'],
    'Newer features of the typing module for older Python versions',
    ['https://typing-extensions.readthedocs.io/', 'https://github.com/python/typing_extensions'],
  ),
  approved(
    ['maven', 'org.slf4j:slf4j-api', '2.0.16', 'MIT'],
    'Logging facade that leaves the choice of the backend to the application',
    ['https://www.slf4j.org/', 'https://github.com/qos-ch/slf4j'],
  ),
  unlicensable(
    'AGPL-3.0-only obliges us to offer our changes to whoever uses it over a network.',
    ['docker', 'grafana/loki', '3.3.2', 'AGPL-3.0-only'],
    'Log aggregation that indexes labels instead of full text',
    ['https://grafana.com/oss/loki/', 'https://github.com/grafana/loki'],
  ),
  vulnerable(
    'Text4Shell: interpolated strings run scripts (CVE-2022-42889), fixed in 1.10.0.',
    ['maven', 'org.apache.commons:commons-text', '1.9', 'Apache-2.0'],
    ...commonsText,
  ),
  approved(['maven', 'org.apache.commons:commons-text', '1.10.0', 'Apache-2.0'], ...commonsText),
  approved(
    ['npm', 'type-fest', '4.30.0', '(MIT OR CC0-1.0)'],
    'Collection of generic TypeScript types',
    ['https://github.com/sindresorhus/type-fest', 'https://github.com/sindresorhus/type-fest'],
  ),
  approved(
    ['pypi', 'cryptography', '44.0.1', 'Apache-2.0 OR BSD-3-Clause'],
    'Cryptographic recipes and primitives',
    ['https://cryptography.io/', 'https://github.com/pyca/cryptography'],
  ),
  approved(
    ['docker', 'ghcr.io/astral-sh/uv', '0.5.11', 'MIT OR Apache-2.0'],
    'Installer and resolver for Python packages and projects',
    ['https://docs.astral.sh/uv/', 'https://github.com/astral-sh/uv'],
  ),
  approved(['npm', 'semver', '7.6.3', 'ISC'], 'Parses and compares semantic versions and ranges', [
    'https://github.com/npm/node-semver',
    'https://github.com/npm/node-semver',
  ]),
  approved(
    ['maven', 'org.junit.jupiter:junit-jupiter-api', '5.11.4', 'EPL-2.0'],
    'API to write tests with JUnit 5',
    ['https://junit.org/junit5/', 'https://github.com/junit-team/junit5'],
  ),
  vulnerable(
    'Anyone on the pod network can run code in it (CVE-2025-1974), fixed in v1.11.5.',
    ['docker', 'registry.k8s.io/ingress-nginx/controller', 'v1.11.3', 'Apache-2.0'],
    'Ingress controller for Kubernetes on top of nginx',
    ['https://kubernetes.github.io/ingress-nginx/', 'https://github.com/kubernetes/ingress-nginx'],
  ),
  approved(
    ['npm', 'dompurify', '3.2.4', '(MPL-2.0 OR Apache-2.0)'],
    'Sanitises HTML, MathML and SVG against cross-site scripting',
    ['https://github.com/cure53/DOMPurify', 'https://github.com/cure53/DOMPurify'],
  ),
  approved(
    ['maven', 'org.postgresql:postgresql', '42.7.7', 'BSD-2-Clause'],
    'JDBC driver for PostgreSQL',
    ['https://jdbc.postgresql.org/', 'https://github.com/pgjdbc/pgjdbc'],
  ),
  unlicensable(
    'GPL-2.0-or-later would extend to the applications that import it.',
    ['pypi', 'Unidecode', '1.3.8', 'GPL-2.0-or-later'],
    'Transliterates Unicode text to ASCII',
    ['https://pypi.org/project/Unidecode/', 'https://github.com/avian2/unidecode'],
  ),
  unlicensable(
    'BUSL-1.1 restricts production use until its change date.',
    ['docker', 'hashicorp/terraform', '1.10.3', 'BUSL-1.1'],
    'Command line to describe and change infrastructure as code',
    ['https://developer.hashicorp.com/terraform', 'https://github.com/hashicorp/terraform'],
  ),
  approved(
    ['docker', 'registry.k8s.io/pause', '3.10', 'Apache-2.0'],
    'Idle container that holds the namespaces of a Kubernetes pod',
    ['https://kubernetes.io/', 'https://github.com/kubernetes/kubernetes'],
  ),
  approved(
    ['docker', 'eclipse-temurin', '21-jre', 'GPL-2.0-only WITH Classpath-exception-2.0'],
    'OpenJDK runtime as the Adoptium project builds it',
    ['https://adoptium.net/', 'https://github.com/adoptium/containers'],
  ),
  pending(['npm', 'lodash', '4.18.1', 'MIT'], ...lodash),
  pending(
    ['npm', 'jszip', '3.10.1', '(MIT OR GPL-3.0-or-later)'],
    'Creates, reads and edits zip files',
    ['https://stuk.github.io/jszip/', 'https://github.com/Stuk/jszip'],
  ),
  pending(
    ['pypi', 'Django', '5.1.4', 'BSD-3-Clause'],
    'Web framework with an object-relational mapper and an admin site',
    ['https://www.djangoproject.com/', 'https://github.com/django/django'],
  ),
  pending(['pypi', 'psycopg', '3.2.3', 'LGPL-3.0-only'], 'PostgreSQL adapter for Python', [
    'https://www.psycopg.org/psycopg3/',
    'https://github.com/psycopg/psycopg',
  ]),
  pending(
    ['maven', 'org.hibernate.orm:hibernate-core', '6.6.4.Final', 'LGPL-2.1-or-later'],
    'Object-relational mapping for Java',
    ['https://hibernate.org/orm/', 'https://github.com/hibernate/hibernate-orm'],
  ),
  pending(
    ['docker', 'mariadb', '11.4.4', 'GPL-2.0-only'],
    'Official image of the MariaDB relational database',
    ['https://mariadb.org/', 'https://github.com/MariaDB/mariadb-docker'],
  ),
];
