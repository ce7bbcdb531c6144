// Loaded before a service of the upgrade bench. Names that end with .pods resolve to the addresses that POD_NAMES_FILE currently lists, as
// the names of a headless service do. An answer is cached for a while, as a cluster's name server caches it.
const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const CACHED_MS = 2_000;
const cached = new Map();
const { lookup } = dns.promises;

function addressesOf(name) {
  const answer = cached.get(name);
  if (answer && performance.now() - answer.atMs < CACHED_MS) return answer.addresses;
  const addresses = JSON.parse(readFileSync(process.env.POD_NAMES_FILE, 'utf8'))[name] ?? [];
  cached.set(name, { addresses, atMs: performance.now() });
  return addresses;
}

dns.promises.lookup = async (name, options) => {
  if (!name.endsWith('.pods')) return lookup(name, options);
  const addresses = addressesOf(name);
  if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });
  return addresses.map((address) => ({ address, family: 4 }));
};
