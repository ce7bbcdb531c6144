export const vehicles = {
  title: 'Vehicles',
  text: 'All inspections of one vehicle, found by your own vehicle id.',
  id: 'Vehicle id',
  show: 'Show',
  none: 'Enter an id',
  noneText: 'The external_vehicle_id given when the report was created.',
  notFound: (id: string) => `No inspection found for "${id}"`,
  notFoundText: 'Enter the whole id.',
  history: (id: string) => `History of ${id}`,
  depthsText:
    'Remaining depth in millimetres, of the lowest groove that was found. In brackets, and as a vertical line: the range in which the true ' +
    'depth is estimated to be. Hollow marks: a place without pattern, a part of the tread that was not seen, or a photograph that ' +
    'another tire has too. The line below is the wear limit of 1.6 mm.',
  chart: (inspections: number) => `Depth of each tire over ${inspections} inspections. The table below has the same values.`,
  about: (depth: string) => `about ${depth}`,
  range: (low: string, high: string) => `(${low} to ${high})`,
  bald: 'No pattern in places',
  wornSmooth: 'No groove found',
  partUnseen: 'Checked in part only',
  tireNotKnown: 'Tire not known',
  noDepths: 'Nothing has been measured yet.',
  inspections: 'Inspections',
  day: 'Inspection',
  state: 'State',
  limit: 'Wear limit',
  newest: (reports: number) => `Only the newest ${reports} are shown.`,
  notMeasured: 'not measured',
};
