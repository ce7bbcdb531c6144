(async () => {
  const { report_id, upload_targets } = await call('POST', '/reports', { template: 'tire_4t_0s' });
  if (upload_targets.length !== 4) throw new Error(`${upload_targets.length} upload targets, not 4`);
  const report = await call('GET', `/reports/${report_id}`);
  if (report.analysis_status !== 'awaiting_images') throw new Error(`the report is ${report.analysis_status}`);
  console.log(`report ${report_id}: created with four upload targets and read again`);
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
