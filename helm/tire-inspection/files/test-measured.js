const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

const put = async ({ upload_url, required_headers, slot }, samples) => {
  const { file } = samples.find((sample) => sample.slot.position === slot.position && sample.slot.image_type === slot.image_type);
  const headers = { 'content-type': 'image/jpeg', ...required_headers };
  const response = await fetch(upload_url, { method: 'PUT', headers, body: readFileSync(file), signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`PUT to ${new URL(upload_url).origin} answered ${response.status}: ${await response.text()}`);
};

const ended = async (report_id) => {
  for (; ; await pause()) {
    const report = await call('GET', `/reports/${report_id}`);
    const { analysis_status, publication_status } = report;
    if (['failed', 'partial'].includes(analysis_status))
      throw new Error(`the report ended ${analysis_status}: ${JSON.stringify(report.slots)}`);
    if (analysis_status === 'complete' && publication_status === 'published') return report;
    if (Date.now() > deadlineMs) throw new Error(`the report is still ${analysis_status} and ${publication_status}`);
  }
};

(async () => {
  const drawn = execFileSync(process.execPath, ['dist/apps/inference/src/commands/render-samples.js', '/tmp/samples'], {
    encoding: 'utf8',
  });
  const samples = drawn
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { report_id, upload_targets } = await call('POST', '/reports', { template: 'tire_4t_0s' });
  await Promise.all(upload_targets.map((target) => put(target, samples)));
  const images = upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await call('POST', `/reports/${report_id}/images`, { images });
  const { slots, links } = await ended(report_id);
  for (const { slot_id, analysis } of slots)
    if (analysis.result) console.log(`${slot_id}: ${analysis.result.aggregated_depth.aggregated_remaining_depth} mm`);
  console.log(`report ${report_id}: four photographs uploaded, measured and published at ${links.share}`);
})().catch((error) => {
  console.error(error.message, error.cause?.message ?? '');
  process.exitCode = 1;
});
