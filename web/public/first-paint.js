// Before the first paint, so that nothing flashes: the chosen theme and language.
;(function () {
  var kept = {}
  try {
    kept = localStorage
  } catch {
    // Blocked: the look is the system's.
  }
  var theme = kept['toryo.theme']
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (kept['toryo.density'] === 'compact') document.documentElement.dataset.density = 'compact'
  var lang = kept['toryo.lang']
  if (lang !== 'en' && lang !== 'ja') lang = /^ja\b/i.test(navigator.language) ? 'ja' : 'en'
  document.documentElement.lang = lang
})()
