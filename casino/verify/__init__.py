"""The books read again from the first row to the last: nothing is believed that can be worked out anew."""
