// A setup file of Jest. Services block image loaders for their whole process, and a process of Jest runs the specs of several projects.
const sharp = require('sharp');

sharp.unblock({ operation: ['VipsForeignLoad'] });
