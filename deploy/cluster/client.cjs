/**
 * A client of the API inside the cluster. A pod gets this file as standard input: `node - COMMAND ARGUMENTS < client.cjs`. It prints one line of
 * JSON. API and KEY are variables of the pod `client`.
 */
const { execFileSync } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');

const { API, KEY } = process.env;
const SAMPLES = '/tmp/samples';
const DRAWS = 'dist/apps/inference/src/commands/render-samples.js';
/** Killed pods are missed for up to half a minute. */
const TRIES = 60;
const RETRY_MS = 1_000;
/** Few writes, which leave the CPU to what is tested. */
const WRITERS = 4;
const WRITE_PAUSE_MS = 250;
const WRITE_RETRY_MS = 250;
const WRITE_TRIES = 400;
/** The file that ends the `writes` of a run, and the file with their result. */
const endedOf = (run) => `/tmp/ended-${run}`;
const writtenOf = (run) => `/tmp/written-${run}.json`;
/** For the last writes. */
const END_MS_MAX = 300_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const reasonOf = (error) => error.cause?.code ?? error.code ?? error.name;

/** One request, without repetition: of a client with its key, or of a browser at the console of this origin. Status 0: no answer. */
async function asks(path, method = 'GET', body, origin) {
  const began = performance.now();
  const who = origin ? { origin } : { authorization: `Bearer ${KEY}` };
  const headers = { ...who, ...(body ? { 'content-type': 'application/json' } : {}) };
  const url = path.startsWith('/') ? API + path : path;
  const options = { method, body, headers, redirect: 'manual', signal: AbortSignal.timeout(25_000) };
  const [status, text] = await fetch(url, options).then(
    async (answer) => [answer.status, await answer.text()],
    (error) => [0, reasonOf(error)],
  );
  return { status, body: text, ms: Math.round(performance.now() - began) };
}

/** Whether a connection opens. A policy drops packets or rejects them. */
const opens = (host, port) =>
  new Promise((resolve) => {
    const socket = connect(Number(port), host).setTimeout(3_000);
    for (const what of ['connect', 'timeout', 'error']) socket.once(what, () => (socket.destroy(), resolve(what === 'connect')));
  });

/** Repeats what a client repeats: no answer, and answers of a service that is away. */
async function repeated(what, request, retryMs = RETRY_MS, triesMax = TRIES) {
  for (let tries = 1; ; tries += 1) {
    const answer = await request().catch((error) => ({ status: 0, body: reasonOf(error) }));
    if (answer.status >= 200 && answer.status < 300) return answer.body && JSON.parse(answer.body);
    if (tries === triesMax || (answer.status > 0 && answer.status < 500 && ![409, 429].includes(answer.status)))
      throw new Error(`${what} answered ${answer.status}: ${answer.body}`);
    await pause(retryMs);
  }
}

/** Eight photographs of a car. The image of the pod draws them once. */
function samples() {
  const list = `${SAMPLES}.jsonl`;
  if (!existsSync(list)) writeFileSync(list, execFileSync(process.execPath, [DRAWS, SAMPLES]));
  return readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function put({ upload_url, required_headers, slot }, images) {
  const { file } = images.find((one) => one.slot.position === slot.position && one.slot.image_type === slot.image_type);
  await repeated(`PUT to ${new URL(upload_url).origin}`, async () => {
    const headers = { 'content-type': 'image/jpeg', ...required_headers };
    const { status } = await fetch(upload_url, { method: 'PUT', headers, body: readFileSync(file), signal: AbortSignal.timeout(30_000) });
    return { status, body: '' };
  });
}

/** Creates a report and uploads its images. */
async function uploaded(template, images) {
  const key = randomUUID();
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key };
  const { report_id, upload_targets } = await repeated('POST /reports', async () => {
    const options = { method: 'POST', headers, body: JSON.stringify({ template }), signal: AbortSignal.timeout(15_000) };
    const answer = await fetch(`${API}/reports`, options);
    return { status: answer.status, body: await answer.text() };
  });
  await Promise.all(upload_targets.map((target) => put(target, images)));
  return { id: report_id, images: upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })) };
}

/** Creates reports and uploads their images. */
function uploads(count, template) {
  const images = samples();
  return Promise.all(Array.from({ length: Number(count) }, () => uploaded(template, images)));
}

/** Registers uploaded images, which begins their measurement. */
async function registers(list) {
  const register = ({ id, images }) => repeated('POST images', () => asks(`/reports/${id}/images`, 'POST', JSON.stringify({ images })));
  const reports = JSON.parse(list);
  await Promise.all(reports.map(register));
  return reports.map(({ id }) => id);
}

/** Both. */
const starts = async (count, template) => registers(JSON.stringify(await uploads(count, template)));

/** Waits until reports have ended. A report is lost if it has not ended in time. */
async function ends(ids, seconds) {
  const began = performance.now();
  const open = new Set(ids.split(','));
  const others = {};
  while (open.size > 0 && performance.now() - began < Number(seconds) * 1000) {
    for (const id of open) {
      const { status, body } = await asks(`/reports/${id}`);
      if (status !== 200) continue;
      const { analysis_status: analysis, publication_status: publication, slots } = JSON.parse(body);
      if (['failed', 'partial'].includes(analysis)) others[id] = JSON.stringify(slots.map((slot) => slot.analysis));
      if (others[id] || (analysis === 'complete' && publication === 'published')) open.delete(id);
    }
    if (open.size > 0) await pause(500);
  }
  return { lost: [...open], others, seconds: (performance.now() - began) / 1000 };
}

/** Reports, one after the other by each writer, until another run of this file ends it. Every request is repeated until it is confirmed. */
async function writes(run) {
  const [ended, written] = [endedOf(run), writtenOf(run)];
  const ids = [];
  let confirmedAt = performance.now();
  let longestGapMs = 0;
  const writer = async () => {
    while (!existsSync(ended)) {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const create = async () => {
        const options = { method: 'POST', headers, body: '{"template":"tire_4t_0s"}', signal: AbortSignal.timeout(5_000) };
        const answer = await fetch(`${API}/reports`, options);
        return { status: answer.status, body: await answer.text() };
      };
      ids.push((await repeated('POST /reports', create, WRITE_RETRY_MS, WRITE_TRIES)).report_id);
      longestGapMs = Math.max(longestGapMs, performance.now() - confirmedAt);
      confirmedAt = performance.now();
      await pause(WRITE_PAUSE_MS);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: WRITERS }, writer));
  const error = ends.find(({ status }) => status === 'rejected')?.reason.message;
  writeFileSync(`${written}.part`, JSON.stringify({ ids, longestGapMs, error }));
  renameSync(`${written}.part`, written);
}

/** Ends them and returns what they wrote. */
async function endWrites(run) {
  writeFileSync(endedOf(run), '');
  for (const began = performance.now(); !existsSync(writtenOf(run)); await pause(100))
    if (performance.now() - began > END_MS_MAX) throw new Error('the writers did not end');
  const { error, ...written } = JSON.parse(readFileSync(writtenOf(run), 'utf8'));
  if (error) throw new Error(`a writer failed: ${error}`);
  return written;
}

/** Requests at an even rate, each counted once: reads, and a creation as every so many-th. */
async function load(reportId, seconds, perSecond, creationEvery) {
  const failed = {};
  const open = new Set();
  let sent = 0;
  const one = async (creates) => {
    const { status, body } = creates ? await asks('/reports', 'POST', '{"template":"tire_4t_0s"}') : await asks(`/reports/${reportId}`);
    if (status < 200 || status > 299) failed[status || body] = (failed[status || body] ?? 0) + 1;
  };
  for (const began = performance.now(); performance.now() - began < Number(seconds) * 1000;) {
    const work = one(sent % creationEvery === creationEvery - 1).finally(() => open.delete(work));
    open.add(work);
    sent += 1;
    await pause(Math.max(0, began + (sent * 1000) / Number(perSecond) - performance.now()));
  }
  await Promise.all(open);
  return { sent, failed };
}

const [, , command, ...words] = process.argv;
({ asks, opens, uploads, registers, starts, ends, load, writes, endWrites })[command](...words).then(
  (answer) => {
    console.log(JSON.stringify(answer ?? null));
    process.exit(0);
  },
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
