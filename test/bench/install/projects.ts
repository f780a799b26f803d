/** The projects that the benchmark installs: known frameworks with all that they need. */

/** `full` has the size of a large application; `small` only shows that the benchmark works. */
export const sizes = ['full', 'small'] as const;
export type Size = (typeof sizes)[number];

/** Later versions do not count, so that each run installs the same packages. */
export const resolvedBefore = '2026-06-01';

/** Dependencies of a `package.json`: the full project has about 1,400 packages. */
export const npmDependencies: Readonly<Record<Size, Readonly<Record<string, string>>>> = {
  full: {
    '@docusaurus/core': '^3.8.0',
    '@docusaurus/preset-classic': '^3.8.0',
    eslint: '^9.0.0',
    express: '^5.0.0',
    fastify: '^5.0.0',
    mocha: '^11.0.0',
    prettier: '^3.0.0',
    react: '^19.0.0',
    'react-dom': '^19.0.0',
    typescript: '^5.8.0',
    vite: '^7.0.0',
  },
  small: { express: '^5.0.0' },
};

/** Lines of a `requirements.in`: the full project has about 100 packages, all with wheels. */
export const pythonRequirements: Readonly<Record<Size, readonly string[]>> = {
  full: [
    ...['django>=5', 'djangorestframework', 'celery', 'fastapi', 'uvicorn', 'flask', 'sqlalchemy'],
    ...[
      'alembic',
      'pandas',
      'requests',
      'httpx',
      'boto3',
      'jupyterlab',
      'pytest',
      'sphinx',
      'mypy',
    ],
    ...['black', 'scrapy', 'opentelemetry-sdk'],
  ],
  small: ['flask'],
};

/** Release of Spring Boot, and its starters. */
const springBoot = '3.5.0';
const starters: Readonly<Record<Size, readonly string[]>> = {
  full: ['web', 'data-jpa', 'security', 'actuator', 'validation', 'thymeleaf', 'test'],
  small: ['json'],
};

/** Returns the `pom.xml` of a Spring Boot application. */
export const makePom = (size: Size): string => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>${springBoot}</version>
    <relativePath/>
  </parent>
  <groupId>com.example</groupId>
  <artifactId>bench</artifactId>
  <version>1.0.0</version>
  <dependencies>${starters[size]
    .map(
      (one) => `
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-${one}</artifactId>
    </dependency>`,
    )
    .join('')}
  </dependencies>
</project>
`;
