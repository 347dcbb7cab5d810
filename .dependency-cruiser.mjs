/**
 * The layers of the tree, one group of rules a row. The suffix says what a file is: `store.ts` is pure,
 * `store.dynamo.ts` is the adapter named after its one library. Each comment is the sentence that
 * `npm run check:tree` prints after "a imports b.". Type-only imports count like all others.
 */

const OURS = '^(?:functions|infra|shared|test)/';
const PURE_NAME = '(?!adapters\\.ts$)[^/.]+\\.(?:ts|json)$';
const NOUN = '^shared/(?!(?:kernel|http|vendor|hubspot)/).+/';
const KERNEL_PURE = `^shared/kernel/${PURE_NAME}`;
const NOUN_PURE = `${NOUN}${PURE_NAME}`;
const EDGE_FILE = '/(?:schemas|policy|env)\\.ts$';
const MAIN = '^functions/[^/]+/main\\.ts$';
/** What a folder of shared shows to all others: what is pure, and what composition roots open. */
const FACE = '^shared/(?:extensions/)?[^/]+/(?:index|adapters)\\.ts$';
const ADAPTERS = '^shared/[^/]+/adapters\\.ts$';
/** A folder of shared with a face of its own, as the first group. */
const FOLDER = '^shared/((?:extensions/)?[^/]+)/';
/** The composition, which opens everything of shared for the roots. */
const APP = '^shared/app\\.ts$';
/** The face of the vendors' folder that any file may import: lookups, prices and shapes. */
const VENDOR_FACE = '^shared/vendor/index\\.ts$';
/** What everyone in shared may import, but for the kernel and the vendors' folders. */
const PURE = [KERNEL_PURE, NOUN_PURE, VENDOR_FACE];
/** What the receiving function needs of HubSpot, and the shapes of its client. */
const HUBSPOT_FACE = '^shared/hubspot/index\\.ts$';

/** Packages by name, wherever npm has put them. */
const packages = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`;

const ZOD = packages('zod');
const CRYPTO = '^(?:node:)?crypto$';
const NOUN_LIBRARIES = packages('zod', 'tldts', 'libphonenumber-js', 'email-providers', 'entities');

const kernel = [
  {
    name: 'kernel-stands-alone',
    comment: 'The kernel imports nothing of ours.',
    from: { path: '^shared/kernel/' },
    to: { path: OURS, pathNot: '^shared/kernel/' },
  },
  {
    name: 'kernel-pure',
    comment: 'A kernel file without suffix imports only its like; node:* is for *.system.ts.',
    from: { path: KERNEL_PURE },
    to: { pathNot: KERNEL_PURE },
  },
];

const faces = [
  {
    name: 'through-the-face',
    comment: 'From another folder of shared, import only #shared/<folder>: add the name to its index.ts.',
    from: { path: FOLDER },
    to: { path: '^shared/', pathNot: ['^shared/$1/', FACE] },
  },
  {
    name: 'through-the-face-from-outside',
    comment:
      'Import #shared/<folder> only: add the name to its index.ts, or to its adapters.ts if it opens something.',
    from: { path: '^(?:functions|infra)/' },
    to: { path: '^shared/', pathNot: [FACE, APP] },
  },
  {
    name: 'face-by-its-name',
    comment: 'Import another folder as #shared/<folder>, not by a path.',
    // Packages of their own, which do not know the names of ours.
    from: { path: '^(?:functions|infra|shared)/', pathNot: '^infra/(?:sandbox|hubspot-app)/' },
    to: { path: FACE, dependencyTypesNot: ['aliased-subpath-import'] },
  },
  {
    name: 'inside-by-path',
    comment:
      'Inside a folder of shared, import by a relative path; #inside is for tests. The faces of shared/vendor import the vendor that package.json names.',
    from: { path: FOLDER, pathNot: '^shared/vendor/(?:index|adapters)\\.ts$' },
    to: { path: '^shared/$1/', dependencyTypes: ['aliased-subpath-import'] },
  },
  {
    name: 'face-shows-its-own',
    comment: 'A face shows only files of its own folder.',
    from: { path: '^shared/((?:extensions/)?[^/]+)/(?:index|adapters)\\.ts$' },
    to: { pathNot: '^shared/$1/' },
  },
  {
    name: 'face-without-adapters',
    comment: 'index.ts exports only types of an adapter: export its values from adapters.ts.',
    from: { path: '^shared/(?:extensions/)?[^/]+/index\\.ts$' },
    to: { path: '^shared/.+\\.[a-z-]+\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'adapters-at-the-roots',
    comment:
      'Only composition roots (functions/*/main.ts, infra/local, infra/cli, the stand-ins, what deploys), shared/app.ts and adapters import adapters.ts.',
    from: {
      path: '^(?:functions|infra|shared)/',
      pathNot: [MAIN, APP, '^infra/(?:cli|doctor|local|sandbox|aws/deploy)/', '^shared/.+\\.[a-z-]+\\.ts$'],
    },
    to: { path: ADAPTERS },
  },
];

const nouns = [
  {
    name: 'noun-pure',
    comment:
      'A pure file of a noun imports only the kernel, other pure files of nouns, vendor/index.ts, hubspot/index.ts, zod, tldts, libphonenumber-js, email-providers and entities: no SDK, no node:*, no http, no vendor folder, no adapter.',
    from: { path: NOUN_PURE, pathNot: FACE },
    to: { pathNot: [...PURE, HUBSPOT_FACE, NOUN_LIBRARIES] },
  },
  {
    name: 'crm-knows-hubspot',
    comment:
      'Only the port to the CRM takes shapes from hubspot/index.ts. Other nouns take them from crm/index.ts.',
    from: { path: NOUN_PURE, pathNot: '^shared/crm/' },
    to: { path: HUBSPOT_FACE },
  },
  {
    name: 'zod-at-the-edge',
    comment:
      'zod is imported only by schemas.ts, policy.ts and env.ts, by the checks that walk through those schemas, and by the stand-ins, which are all edge.',
    from: {
      path: OURS,
      pathNot: [
        EDGE_FILE,
        '^infra/sandbox/',
        '^test/(?:tools/style/stored-bounds|tools/docs/policy-page|contract/store/engines)\\.',
      ],
    },
    to: { path: ZOD },
  },
];

/** `$1` is the suffix: `.sqs.ts` may import a package with "sqs" in its name, `.hubspot.ts` shared/hubspot. */
const adapters = [
  {
    name: 'adapter-one-library',
    comment:
      'An adapter imports only pure files of the kernel and the nouns, adapters of the same suffix, and the one library that its suffix names.',
    from: {
      path: '^shared/(?!(?:http|vendor|hubspot)/).+/[^/.]+\\.(?!(?:system|aws)\\.)([a-z-]+)\\.ts$',
    },
    to: {
      pathNot: [
        ...PURE,
        '^shared/.+\\.$1\\.ts$',
        '^shared/$1/',
        ADAPTERS,
        '(?:^|/)node_modules/[^/]*$1[^/]*/',
        '(?:^|/)node_modules/@[^/]+/[^/]*$1[^/]*/',
        '^(?:node:)?$1$',
      ],
    },
  },
  {
    name: 'system-adapter',
    comment:
      'A *.system.ts imports only pure files of the kernel and the nouns, other *.system.ts and node:*.',
    from: { path: '^shared/.+\\.system\\.ts$' },
    to: {
      pathNot: [KERNEL_PURE, NOUN_PURE, ADAPTERS, '^shared/.+\\.system\\.ts$'],
      dependencyTypesNot: ['core'],
    },
  },
];

const composition = [
  {
    name: 'app-composes',
    comment: 'shared/app.ts and *.aws.ts compose what shared holds: no functions, no infra, no test.',
    from: { path: [APP, '^shared/.+\\.aws\\.ts$'] },
    to: { path: '^(?:functions|infra|test)/' },
  },
  {
    name: 'app-at-the-roots',
    comment:
      'Only composition roots (functions/*/main.ts, infra/local, infra/cli) import shared/app.ts, and what follows from its lists: permissions, and the types of the pages.',
    from: {
      path: '^(?:functions|infra|shared)/',
      pathNot: [MAIN, '^infra/(?:cli|doctor|local|hubspot-app)/', '^infra/aws/permissions\\.ts$'],
    },
    to: { path: APP },
  },
];

const clients = [
  {
    name: 'http-knows-no-noun',
    comment: 'shared/http imports only the pure kernel, undici and node:*.',
    from: { path: '^shared/http/' },
    to: { pathNot: [KERNEL_PURE, '^shared/http/', packages('undici')], dependencyTypesNot: ['core'] },
  },
  {
    name: 'vendor-alone',
    comment:
      'shared/vendor imports only the pure kernel, shared/http, shared/identity, zod and node:crypto: it knows nothing of the product but what a clean value is.',
    from: { path: '^shared/vendor/' },
    to: {
      pathNot: [KERNEL_PURE, '^shared/(?:http|vendor)/', '^shared/identity/index\\.ts$', ZOD, CRYPTO],
    },
  },
  {
    name: 'hubspot-publishable',
    comment:
      'shared/hubspot imports only the pure kernel, shared/http, zod, node:crypto and @hubspot/api-client: it could be published as it stands.',
    from: { path: '^shared/hubspot/' },
    to: {
      pathNot: [KERNEL_PURE, '^shared/(?:http|hubspot)/', packages('zod', '@hubspot/api-client'), CRYPTO],
    },
  },
  {
    name: 'light-doors',
    comment:
      'The faces of the vendors and of HubSpot are for pure code and small Lambdas: they reach neither shared/http nor any package but those of clean values.',
    from: { path: [VENDOR_FACE, HUBSPOT_FACE] },
    to: {
      path: [
        '^shared/http/',
        '(?:^|/)node_modules/(?!(?:zod|tldts|tldts-core|libphonenumber-js|email-providers|entities)/)',
      ],
      reachable: true,
    },
  },
  {
    name: 'spend-through-the-gateway',
    comment:
      'Only shared/app.ts, infra/cli, infra/local and what deploys open a vendor: the ask gateway is the only way to spend.',
    from: {
      path: '^(?:functions|infra|shared)/',
      pathNot: ['^shared/vendor/', APP, '^infra/(?:cli|local|aws/deploy)/'],
    },
    to: { path: '^shared/vendor/adapters\\.ts$' },
  },
];

const functions = [
  {
    name: 'handler-pure',
    comment:
      'A handler (and env.ts beside it) imports only its own folder and pure files of shared: no adapter, no AWS SDK, no other function.',
    from: { path: '^functions/([^/]+)/', pathNot: MAIN },
    to: {
      pathNot: ['^functions/$1/', ...PURE, HUBSPOT_FACE, ZOD, packages('@types/aws-lambda')],
    },
  },
  {
    name: 'hubspot-for-its-requests',
    comment: 'Of all handlers, only those of requests that HubSpot signs import shared/hubspot.',
    from: { path: '^functions/(?!(?:receive-webhook|serve-hubspot)/)[^/]+/', pathNot: MAIN },
    to: { path: HUBSPOT_FACE },
  },
  {
    name: 'main-composes-its-own',
    comment: 'A main.ts imports its own folder, shared and packages: no other function, no infra, no test.',
    from: { path: '^functions/([^/]+)/main\\.ts$' },
    to: { path: '^(?:functions|infra|test)/', pathNot: '^functions/$1/' },
  },
  {
    name: 'no-memory-on-lambda',
    comment: 'A main.ts must not reach an in-memory adapter: a Lambda would forget everything.',
    from: { path: MAIN },
    to: { path: '\\.memory\\.ts$', reachable: true },
  },
  {
    name: 'main-imported-by-nobody',
    comment: 'A main.ts opens connections when it is imported, so no file imports one.',
    from: {},
    to: { path: '^(?:functions|infra)/.+/main\\.ts$' },
  },
  {
    name: 'no-dev-dependency-on-lambda',
    comment:
      'Code of a Lambda imports no development dependency, except types: move the package to dependencies.',
    from: { path: '^(?:functions|shared)/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

const infra = [
  {
    name: 'aws-describes',
    comment:
      'infra/aws imports only the CDK, functions/*/env.ts, the faces shared/*/index.ts, the lists of shared/app.ts, what asks whether alarm mail and keys are good, infra/policy.ts, infra/rule-subscriptions.ts, infra/text-row.ts and infra/unanswered.ts: it describes the system and runs none of it. zod reads its configuration; what deploys may ask AWS.',
    from: { path: '^infra/(?:app\\.ts$|aws/)' },
    to: {
      pathNot: [
        '^infra/aws/',
        APP,
        '^functions/[^/]+/env\\.ts$',
        '^infra/(?:(?:load-)?policy|rule-subscriptions|text-row|unanswered)\\.ts$',
        '^shared/(?:extensions/)?[^/]+/index\\.ts$',
        '^shared/(?:alerts|http|hubspot|kernel|vendor)/adapters\\.ts$',
        packages(
          'aws-cdk-lib',
          'constructs',
          'cdk-nag',
          'esbuild',
          'zod',
          '@aws-cdk/[^/]+',
          '@aws-sdk/[^/]+',
        ),
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'sandbox-reads-for-itself',
    comment:
      'A stand-in imports only the kernel, node:*, srvx and zod, its page of a card @remote-ui: it is a second, independent reading of the contract, so none of our clients and schemas, and a package of its own.',
    from: { path: '^infra/sandbox/' },
    to: {
      path: [OURS, packages('.+')],
      pathNot: [
        '^infra/sandbox/',
        '^shared/kernel/',
        packages('srvx', 'zod', '@remote-ui/core', '@remote-ui/react'),
      ],
    },
  },
  {
    name: 'local-and-cli-compose',
    comment:
      'infra/local, infra/doctor and infra/cli import handlers, shared and the stand-ins, and infra/cli builds on the others, which know nothing of it: no infra/aws, no test.',
    from: {
      path: '^infra/(local|cli|doctor)/',
    },
    to: {
      path: OURS,
      pathNot: [
        '^infra/(?:$1|doctor|local|sandbox)/',
        '^infra/(?:load-policy|rule-subscriptions|text-row|unanswered)\\.ts$',
        '^functions/',
        '^shared/',
      ],
    },
  },
  {
    name: 'hubspot-app-is-data',
    comment: 'infra/hubspot-app is what a user uploads: it imports only types of ours, which are erased.',
    from: { path: '^infra/hubspot-app/' },
    to: { path: OURS, pathNot: '^infra/hubspot-app/', dependencyTypesNot: ['type-only'] },
  },
];

const everywhere = [
  {
    name: 'test-imported-by-nobody',
    comment: 'The product imports nothing of test.',
    from: { path: '^(?:functions|infra|shared)/' },
    to: { path: '^test/' },
  },
  {
    name: 'oracle-knows-nothing',
    comment:
      'The oracle of the simulation imports only itself and the stand-ins: it shares no code with what it judges.',
    from: { path: '^test/laws/simulation/oracle/' },
    to: { pathNot: ['^test/laws/simulation/oracle/', '^infra/sandbox/'] },
  },
  {
    name: 'no-circle',
    comment:
      'Imports never run in a circle, not even those of types: move what both need to a file of its own.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'The import leads nowhere: no such file, or no such package in package.json.',
    from: {},
    to: { dependencyTypes: ['unknown', 'npm-no-pkg', 'npm-unknown'] },
  },
];

/** The folders of shared: each imports only from itself and those before it, so that no two need each other. */
const ORDER = [
  'kernel',
  'http',
  'secrets',
  'store',
  'hubspot',
  'crm',
  'identity',
  'vendor',
  'credit-ledger',
  'rate-limiter',
  'questions',
  'field-policy',
  'ownership',
  'records',
  'review',
  'privacy',
  'work-queue',
  'enrichment',
  'take-back',
  'requests',
  'spend',
  'home',
  'alerts',
  'metrics',
  'lambda',
  'extensions',
];

const order = [
  ...ORDER.slice(0, -1).map((folder, index) => ({
    name: `order-${folder}`,
    comment: `shared/${folder} imports only from folders that stand before it: ${ORDER.slice(0, index).join(', ') || 'none'}.`,
    from: { path: `^shared/${folder}/` },
    to: { path: `^shared/(?:${ORDER.slice(index + 1).join('|')})/` },
  })),
  {
    name: 'extensions-apart',
    comment: 'An extension imports no other: what two need belongs to the core.',
    from: { path: '^shared/extensions/([^/]+)/' },
    to: { path: '^shared/extensions/', pathNot: '^shared/extensions/$1/' },
  },
  {
    name: 'order-known',
    comment: 'Each folder of shared has a place in the order: add it to ORDER in .dependency-cruiser.mjs.',
    from: { path: '^shared/', pathNot: [APP, `^shared/(?:${ORDER.join('|')})/`] },
    to: {},
  },
];

const rules = [
  ...order,
  ...faces,
  ...kernel,
  ...nouns,
  ...adapters,
  ...composition,
  ...clients,
  ...functions,
  ...infra,
  ...everywhere,
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'default'] },
  },
};
