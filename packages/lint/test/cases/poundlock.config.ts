// What the comments of prelude.d.ts say in words, as tags.
export default {
  lint: {
    presets: [],
    tags: {
      wrap: '@owned h @nothrow',
      callLater: '@callsLater @nothrow',
      tick: '@nothrow',
    },
  },
};
