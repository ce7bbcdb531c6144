// Loaded before a service of the upgrade bench: names that end with .pods have the addresses that POD_NAMES_FILE gives them just now,
// as those of a headless service have, and an answer is kept for a while, as a cluster's name server keeps it.
const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const KEPT_MS = 2_000;
const kept = new Map();
const { lookup } = dns.promises;

function addressesOf(name) {
  const answer = kept.get(name);
  if (answer && performance.now() - answer.atMs < KEPT_MS) return answer.addresses;
  const addresses = JSON.parse(readFileSync(process.env.POD_NAMES_FILE, 'utf8'))[name] ?? [];
  kept.set(name, { addresses, atMs: performance.now() });
  return addresses;
}

dns.promises.lookup = async (name, options) => {
  if (!name.endsWith('.pods')) return lookup(name, options);
  const addresses = addressesOf(name);
  if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });
  return addresses.map((address) => ({ address, family: 4 }));
};
