// Before the first paint, so that nothing flashes: the chosen theme and language.
;(function () {
  var theme = localStorage.getItem('toryo.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  var lang = localStorage.getItem('toryo.lang')
  if (lang !== 'en' && lang !== 'ja') lang = /^ja\b/i.test(navigator.language) ? 'ja' : 'en'
  document.documentElement.lang = lang
})()
