"""The search itself: dependability as a function of gain and discount, and its maxima."""
